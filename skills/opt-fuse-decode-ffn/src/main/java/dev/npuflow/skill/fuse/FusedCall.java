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

/// The three launches, with the tiles that the device has for them, the most columns, and ping-pong if that places.
sealed interface FusedCall {

    record Placed(NpuCall call) implements FusedCall {}

    record Refused(String reason, List<Blocker> blockers) implements FusedCall {}

    static FusedCall of(FeedForward found, Placement placement) {
        List<Blocker> first = List.of();
        for (List<Launch> launches : tiled(untiled(found).launches(), placement)) {
            for (boolean pingPong : new boolean[] {true, false}) {
                NpuCall call = untiled(found).withLaunches(launches);
                call = call.withOptions(new ElfOptions(pingPong, call.options().loopTiling()));
                List<Blocker> blockers = placement.check(call);
                if (blockers.isEmpty()) {
                    return new Placed(kept(found, call));
                }
                first = first.isEmpty() ? blockers : first;
            }
        }
        return first.isEmpty() ? new Refused("the device has no tiles for a feed-forward of three launches", first)
                : new Refused("%s: %s".formatted(first.getFirst().launch(), first.getFirst().message()), first);
    }

    /// All launches on the same columns, most columns first.
    private static List<List<Launch>> tiled(List<Launch> launches, Placement placement) {
        List<List<Launch>> each = launches.stream().map(placement::tiled).toList();
        return each.getFirst().stream().map(first -> first.herd().columns()).distinct()
                .map(columns -> each.stream().flatMap(tilings -> tilings.stream().filter(launch -> launch.herd().columns() == columns).limit(1)).toList())
                .filter(same -> same.size() == launches.size()).toList();
    }

    private static NpuCall untiled(FeedForward found) {
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
                add("o_gemv_add", hidden, found.sizes().query(), o, attention, Operand.whole(x), residual),
                new Launch("gate_up_swiglu", KernelNames.GEMV_SWIGLU_RMS, "mv_swiglu", new TreeMap<>(Map.of("m", 2 * intermediate, "k", hidden)),
                        new TreeMap<>(Map.of("epsilon", found.epsilon())), new Herd(1, 1), new TreeMap<>(),
                        new TreeMap<>(Map.of("matrix", Operand.whole(gateUp), "in", residual, "weight", new Operand(packed.name(), hidden, hidden))),
                        new TreeMap<>(Map.of("out", Operand.whole(swiglu)))),
                add("down_gemv_add", hidden, intermediate, down, swiglu, residual, Operand.whole(out)));
        NpuCall first = found.calls().getFirst();
        return new NpuCall("o_gemv_ffn", launches, List.of(o, attention, x, packed, gateUp, swiglu, down, out), first.bufferKey(),
                first.options()).mapArguments(argument -> argument.withTransfer(Transfer.EVERY_CALL));
    }

    private static Launch add(String name, int m, int k, Argument matrix, Argument vector, Operand addend, Operand out) {
        return new Launch(name, KernelNames.GEMV_ADD, "mv_add", new TreeMap<>(Map.of("m", m, "k", k)), new TreeMap<>(), new Herd(1, 1), new TreeMap<>(),
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
