package dev.npuflow.workflow.lowering.aie;

import static dev.npuflow.workflow.block.ModelEnds.FINAL_NORM;
import static dev.npuflow.workflow.block.ModelEnds.STREAM;

import dev.npuflow.npu.aie.AieDevice;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.lowering.HostSteps;
import dev.npuflow.workflow.lowering.TileChooser;
import dev.npuflow.workflow.lowering.TilePlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The plan to start from, correct and slow: one kernel an ELF, every argument written on every call, every output read back.
///
///     prologue   embed → x;  a look-up table for each rotation
///     layer      one call for each operator of the model's [Block], attention aside
///     epilogue   x (prefill: its last real row) → x_final → logits_0, logits_1 … → token
///
/// Prefill attends on the NPU where FlashAttention has a legal tile, and the host copies keys and values into the KV cache; else the host does both. Either way
/// heads come first, with host transposes around. In decode the host attends.
public final class BaselineAssembler {

    private final ModelShape model;
    private final Block block;
    private final AieDevice device;
    private final TileChooser tiles;

    private BaselineAssembler(ModelShape model, Block block, AieDevice device, TileChooser tiles) {
        this.model = model;
        this.block = block;
        this.device = device;
        this.tiles = tiles;
    }

    /// @param device that `placement` asks
    /// @throws dev.npuflow.fault.NpuflowException NPF-201 where nothing places
    public static Deployment assemble(ModelShape model, Block block, DeviceDescription device, TilePlacement placement) {
        BaselineAssembler assembler = new BaselineAssembler(model, block, AieDevice.of(device), new TileChooser(placement));
        return new Deployment(model, device.name(), assembler.phase(Phase.PREFILL), assembler.phase(Phase.DECODE));
    }

    private PhasePlan phase(Phase phase) {
        BaselineCalls npu = new BaselineCalls(model, phase, tiles);
        HostSteps host = new HostSteps(model, phase);
        List<Step> prologue = new ArrayList<>(List.of(host.embed()));
        prologue.addAll(host.ropeTables(block));
        List<Step> layer = block.operators().stream().flatMap(operator -> steps(operator, phase, npu, host).stream()).toList();
        return new PhasePlan(prologue, layer, epilogue(phase, npu, host));
    }

    private static List<Step> steps(Operator operator, Phase phase, BaselineCalls npu, HostSteps host) {
        return switch (operator) {
            case Operator.Norm norm -> List.of(npu.norm(norm));
            case Operator.Projection projection -> List.of(npu.project(projection));
            case Operator.Bias bias -> List.of(npu.bias(bias));
            case Operator.Rotation rotation -> List.of(npu.rope(rotation));
            case Operator.Attention attention -> phase == Phase.DECODE ? List.of(host.decodeAttention(attention)) : prefillAttention(attention, npu, host);
            case Operator.GatedProduct product -> List.of(npu.siluMul(product));
            case Operator.Sum sum -> List.of(npu.add(sum));
        };
    }

    private static List<Step> prefillAttention(Operator.Attention attention, BaselineCalls npu, HostSteps host) {
        String out = attention.output().name() + "_head_first";
        List<Step> steps = new ArrayList<>(List.of(host.headFirst(attention.query(), "q_head_first"), host.headFirst(attention.key(), "k_head_first"),
                host.headFirst(attention.value(), "v_head_first")));
        npu.flashAttention("flash_attn", "q_head_first", "k_head_first", "v_head_first", out).ifPresentOrElse(
                call -> steps.addAll(List.of(host.fillCache(attention), call)),
                () -> steps.add(host.prefillAttention("q_head_first", "k_head_first", "v_head_first", out, "head_first")));
        steps.add(host.seqFirst(out, attention.output()));
        return List.copyOf(steps);
    }

    private List<Step> epilogue(Phase phase, BaselineCalls npu, HostSteps host) {
        List<Step> steps = new ArrayList<>();
        String last = STREAM.name();
        if (phase == Phase.PREFILL) {
            last = "x_last";
            steps.add(host.lastRow(last));
        }
        steps.add(host.finalNorm(last));
        List<NpuCall> head = new LanguageHead(model, npu, tiles, device.hardware().tiles()).partitions(FINAL_NORM.output().name());
        steps.addAll(head);
        steps.add(host.argmax(IntStream.range(0, head.size()).mapToObj(i -> "logits_" + i).toList(), "token"));
        return List.copyOf(steps);
    }
}
