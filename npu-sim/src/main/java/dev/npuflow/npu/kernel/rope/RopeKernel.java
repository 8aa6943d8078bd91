package dev.npuflow.npu.kernel.rope;

import static dev.npuflow.npu.kernel.KernelSignature.POSITIONS;
import static dev.npuflow.npu.kernel.KernelSignature.product;
import static dev.npuflow.npu.kernel.KernelSignature.readsRows;
import static dev.npuflow.npu.kernel.KernelSignature.writesRows;

import dev.npuflow.npu.compiler.Blocker;
import dev.npuflow.npu.compiler.ElfDescription;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.kernel.limit.LaunchSite;
import dev.npuflow.npu.kernel.limit.Limit;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// `rope`: rotates the pairs (i, i + rotary_dim/2) of each row by the angles of its table row; the rest of a row is copied.
/// `rotary_dim` is `head_dim` where it is left out.
public final class RopeKernel implements Kernel {

    static final String ROTARY = "rotary_dim";

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(readsRows("in", product("rows", "head_dim")), readsRows("table", shape -> (long) shape.get("rows") * rotary(shape)),
                    writesRows("out", product("rows", "head_dim"))),
            List.of("rows", "head_dim"), List.of(ROTARY, POSITIONS), List.of(), List.of());

    @Override
    public String id() {
        return "rope";
    }

    @Override
    public KernelSignature signature() {
        return SIGNATURE;
    }

    @Override
    public List<Blocker> check(LaunchDescription launch, ElfDescription elf, DeviceDescription device) {
        return Limit.check(new LaunchSite(launch, elf, device), RopeLimits.ALL);
    }

    @Override
    public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of("rope: head_dim %d, rotary_dim %d".formatted(launch.shape().get("head_dim"), rotary(launch.shape())));
    }

    @Override
    public void execute(LaunchDescription launch, Operands operands) {
        RopeRows rows = new RopeRows(operands.port("in"), operands.port("table"), operands.port("out"), launch.shape().get("head_dim"),
                rotary(launch.shape()));
        operands.workers().run((int) KernelSignature.active(launch.shape().get("rows"), launch.shape(), operands.activePositions()), rows::row);
    }

    private static int rotary(SortedMap<String, Integer> shape) {
        return shape.getOrDefault(ROTARY, shape.get("head_dim"));
    }
}
