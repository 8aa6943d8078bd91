package dev.npuflow.skill.fuse;

import dev.npuflow.plan.AccessAnalysis;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.KernelNames;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.Placement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The three launches, with the most columns and with ping-pong if that places.
sealed interface FusedCall {

    record Placed(NpuCall call) implements FusedCall {}

    record Refused(String reason, List<Blocker> blockers) implements FusedCall {}

    /// Upstream's tiles (docs/upstream.md, "The ELFs of llama32_1b", "Placement").
    int ADD_ROWS = 8;
    int CASCADE = 4;
    int CASCADE_ROWS = 32;
    int CASCADE_CALL_ROWS = 4;

    static FusedCall of(FeedForward found, Placement placement) {
        List<Blocker> first = List.of();
        for (int columns : new int[] {8, 4}) {
            for (boolean pingPong : new boolean[] {true, false}) {
                NpuCall call = build(found, columns, pingPong);
                List<Blocker> blockers = placement.check(call);
                if (blockers.isEmpty()) {
                    return new Placed(call);
                }
                first = first.isEmpty() ? blockers : first;
            }
        }
        return new Refused("%s: %s".formatted(first.getFirst().launch(), first.getFirst().message()), first);
    }

    private static NpuCall build(FeedForward found, int columns, boolean pingPong) {
        int hidden = found.sizes().hidden();
        int intermediate = found.sizes().intermediate();
        FeedForward.Weights weights = found.weights();
        Argument o = weights.o().withName("o_weight");
        Argument attention = found.attention().withName("attention").withReadBack(false);
        Argument x = found.x().withName("x").withReadBack(false).withTransfer(Transfer.EVERY_CALL);
        Argument packed = argument("residual_and_norm", new Source.Packed(List.of(new Source.Scratch(), weights.norm().source()),
                List.of(hidden, hidden)), 2, hidden);
        Argument gateUp = argument("gate_up_weight",
                new Source.InterleavedWeights(List.of((Source.Weight) weights.gate().source(), (Source.Weight) weights.up().source())),
                2 * intermediate, hidden);
        Argument swiglu = argument("swiglu", new Source.Scratch(), intermediate);
        Argument down = weights.down().withName("down_weight");
        Argument out = found.out().withName("x_out").withReadBack(true);
        Operand residual = new Operand(packed.name(), 0, hidden);
        List<Launch> launches = List.of(
                add("o_gemv_add", columns, hidden, found.sizes().query(), o, attention, Operand.whole(x), residual),
                new Launch("gate_up_swiglu", KernelNames.GEMV_SWIGLU_RMS, "mv_swiglu", new TreeMap<>(Map.of("m", 2 * intermediate, "k", hidden)),
                        new TreeMap<>(Map.of("epsilon", found.epsilon())), new Herd(columns, CASCADE),
                        new TreeMap<>(Map.of("tile_m", CASCADE_ROWS, "m_input", CASCADE_CALL_ROWS)),
                        new TreeMap<>(Map.of("matrix", Operand.whole(gateUp), "in", residual, "weight", new Operand(packed.name(), hidden, hidden))),
                        new TreeMap<>(Map.of("out", Operand.whole(swiglu)))),
                add("down_gemv_add", columns, hidden, intermediate, down, swiglu, residual, Operand.whole(out)));
        NpuCall first = found.calls().getFirst();
        return kept(found, new NpuCall("o_gemv_ffn", launches, List.of(o, attention, x, packed, gateUp, swiglu, down, out), first.bufferKey(),
                new ElfOptions(pingPong, first.options().loopTiling())).mapArguments(argument -> argument.withTransfer(Transfer.EVERY_CALL)));
    }

    private static Launch add(String name, int columns, int m, int k, Argument matrix, Argument vector, Operand addend, Operand out) {
        return new Launch(name, KernelNames.GEMV_ADD, "mv_add", new TreeMap<>(Map.of("m", m, "k", k)), new TreeMap<>(), new Herd(columns, 2),
                new TreeMap<>(Map.of("tile_m", ADD_ROWS)),
                new TreeMap<>(Map.of("matrix", Operand.whole(matrix), "vector", Operand.whole(vector), "addend", addend)),
                new TreeMap<>(Map.of("out", out)));
    }

    /// Where the plan keeps its weights on the device already, so does the fused call.
    private static NpuCall kept(FeedForward found, NpuCall call) {
        if (found.weights().all().stream().anyMatch(weight -> weight.transfer() != Transfer.STATIC)) {
            return call;
        }
        NpuCall perLayer = call.withBufferKey(BufferKey.PER_LAYER);
        AccessAnalysis access = AccessAnalysis.of(perLayer, true);
        return perLayer.mapArguments(argument -> switch (access.access(argument.name()).reuse()) {
            case NONE -> argument;
            case STATIC -> argument.withTransfer(Transfer.STATIC);
            case INTERMEDIATE, DEAD -> argument.withTransfer(Transfer.INTERMEDIATE);
        });
    }

    private static Argument argument(String name, Source source, Integer... shape) {
        return new Argument(name, List.of(shape), DataType.BF16, source, Transfer.EVERY_CALL, false);
    }
}
