package dev.npuflow.acceptance;

import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.model.ModelConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// The host's decode attention written anew, with a fault; its cache is filled from what the plan hands over.
final class DecodeAttention implements InjectedFault.HostFault {

    private final ModelConfig config;
    private final Attention attention;
    private final int early;
    private final boolean views;
    private final Map<Integer, List<Row>> cache = new TreeMap<>();
    /// What a runtime that hands out views has where all layers share the buffer objects of a call: one memory, by phase.
    private final Map<Phase, Handed> shared = new TreeMap<>();

    /// Keys and values of the positions that a step hands over.
    private record Handed(short[] keys, short[] values) {}

    private record Row(Handed memory, int at) {}

    /// @param early positions that key and value are appended too early
    /// @param views whether the cache keeps views of what was read back instead of copies
    DecodeAttention(ModelConfig config, boolean modulo, int early, boolean views) {
        this.config = config;
        this.attention = new Attention(config, modulo);
        this.early = early;
        this.views = views;
    }

    @Override public void after(Phase phase, Step step, int layer, Values run) {
        if (!(step instanceof HostOp op)) {
            return;
        }
        if (op.kind() == HostKind.EMBED && phase == Phase.PREFILL) {
            cache.clear();
            shared.clear();
        } else if (op.kind() == HostKind.PREFILL_ATTENTION) {
            keep(phase, layer, run);
        } else if (op.kind() == HostKind.DECODE_ATTENTION) {
            IntStream.range(0, early).forEach(_ -> cache.get(layer).removeLast());
            keep(phase, layer, run);
            run.put("attention", attention.attend(run.get("q_roped"), rows(layer, true), rows(layer, false)));
        }
    }

    private void keep(Phase phase, int layer, Values run) {
        Handed copy = new Handed(run.get("k_roped").clone(), run.get("v").clone());
        if (views) {
            shared.merge(phase, copy, DecodeAttention::overwritten);
        }
        Handed kept = views ? shared.get(phase) : copy;
        IntStream.range(0, copy.keys().length / config.keyValueDim()).forEach(row -> cache.computeIfAbsent(layer, _ -> new ArrayList<>())
                .add(new Row(kept, row * config.keyValueDim())));
    }

    private static Handed overwritten(Handed memory, Handed with) {
        System.arraycopy(with.keys(), 0, memory.keys(), 0, memory.keys().length);
        System.arraycopy(with.values(), 0, memory.values(), 0, memory.values().length);
        return memory;
    }

    private List<short[]> rows(int layer, boolean keys) {
        return cache.get(layer).stream().map(row -> Arrays.copyOfRange(keys ? row.memory().keys() : row.memory().values(), row.at(),
                row.at() + config.keyValueDim())).toList();
    }
}
