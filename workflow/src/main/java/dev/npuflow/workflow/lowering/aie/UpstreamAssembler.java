package dev.npuflow.workflow.lowering.aie;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.aie.AieDevice;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.family.UpstreamHead;
import dev.npuflow.workflow.lowering.HostSteps;
import dev.npuflow.workflow.model.Architecture;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The plan as mlir-air deploys it, by rule from a configuration (docs/upstream.md, "The ELFs of llama32_1b" to "The ELFs of the other models"): its ELFs, tiles, flags and buffer objects. It is
/// there to be placed and timed.
///
/// Upstream's drivers prefill all positions they pad to, take the last row, and run the LM head ELF once a token, also after the prefill.
public final class UpstreamAssembler {

    /// Keeps every extent of a prefill within 31 bits.
    private static final int LARGEST_WIDTH = 1 << 18;

    private final ModelShape model;
    private final Block block;
    private final UpstreamHead head;
    private final UpstreamTiles tiles;
    private final UpstreamForm form;

    private UpstreamAssembler(ModelShape model, Block block, Architecture architecture, UpstreamTiles tiles, UpstreamForm form) {
        this.model = model;
        this.block = block;
        this.head = architecture.family().upstreamHead();
        this.tiles = tiles;
        this.form = form;
    }

    /// @throws NpuflowException NPF-250 for dimensions that upstream's kernels do not take
    public static Deployment assemble(ModelShape model, Block block, Architecture architecture, DeviceDescription device, UpstreamForm form) {
        UpstreamTiles tiles = new UpstreamTiles(AieDevice.of(device).hardware().array().columns());
        require(model, "hidden_size", model.hiddenSize(), tiles.gemvLanes());
        require(model, "intermediate_size", model.intermediateSize(), tiles.gemvLanes());
        require(model, "query width", model.queryDim(), tiles.gemvLanes());
        requireVector(model, "head_dim", model.headDim(), tiles.lanes());
        UpstreamAssembler upstream = new UpstreamAssembler(model, block, architecture, tiles, form);
        return new Deployment(model, device.name(), upstream.prefill(), upstream.decode());
    }

    private static void require(ModelShape model, String dimension, int value, int lanes) {
        if (value % lanes != 0 || value > LARGEST_WIDTH) {
            throw NpuflowException.badInput("NPF-250", "model %s: %s".formatted(model.name(), dimension), value,
                    "a multiple of %d, the vector width of GEMV, up to %d".formatted(lanes, LARGEST_WIDTH), "a model whose dimensions are");
        }
    }

    private static void requireVector(ModelShape model, String dimension, int value, int lanes) {
        if (value % lanes != 0) {
            throw NpuflowException.badInput("NPF-251", "model %s: %s".formatted(model.name(), dimension), value,
                    "a multiple of %d, the vector width of RoPE".formatted(lanes), "a model whose heads are");
        }
    }

    private PhasePlan prefill() {
        HostSteps host = new HostSteps(model, Phase.PREFILL);
        List<Step> epilogue = new ArrayList<>(List.of(host.lastRow("x_last")));
        epilogue.addAll(head(host, "x_last"));
        return new PhasePlan(List.of(host.embed()), new UpstreamPrefill(model, block, tiles, form).layer(), epilogue);
    }

    private PhasePlan decode() {
        HostSteps host = new HostSteps(model, Phase.DECODE);
        List<Step> prologue = new ArrayList<>(List.of(host.embed()));
        prologue.addAll(host.ropeTables(block));
        return new PhasePlan(prologue, new UpstreamDecode(model, block, tiles, form).layer(), head(host, ModelEnds.STREAM.name()));
    }

    private List<Step> head(HostSteps host, String x) {
        int parts = head.parts(model.vocabSize());
        return List.of(host.finalNorm(x), languageHead(parts),
                host.argmax(IntStream.range(0, parts).mapToObj(part -> "logits_" + part).toList(), "token"));
    }

    private NpuCall languageHead(int parts) {
        UpstreamElf elf = new UpstreamElf("lm_head_gemv", model, Phase.DECODE, tiles, form);
        Value x = ModelEnds.FINAL_NORM.output();
        elf.input(x);
        for (int part = 0; part < parts; part++) {
            String logits = "logits_" + part;
            elf.readBack(elf.gemv("lm_head_" + part, x, ModelEnds.HEAD.tensor(), part * head.rows(), head.rows(), () -> elf.scratch(logits, DataType.BF16, head.rows())), logits);
        }
        ElfOptions options = new UpstreamDecode(model, block, tiles, form).fusedOptions(true);
        boolean fits = tiles.gemv(head.rows(), model.hiddenSize()).fitsPingPong();
        return elf.build(BufferKey.SHARED, new ElfOptions(options.pingPong() && fits, options.loopTiling()));
    }
}
