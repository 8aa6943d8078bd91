package dev.npuflow.plan;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/// Which host values a step takes and gives. Values are handed over by name between steps of a phase.
///
/// @param reads  values whose host bytes the step uses
/// @param writes values whose host bytes the step replaces
public record ValueFlow(SequencedSet<String> reads, SequencedSet<String> writes) {

    public static ValueFlow of(Step step) {
        SequencedSet<String> reads = new LinkedHashSet<>();
        SequencedSet<String> writes = new LinkedHashSet<>();
        switch (step) {
            case HostOp op -> {
                reads.addAll(op.inputs().values());
                writes.addAll(op.outputs().values());
            }
            case NpuCall call -> {
                AccessAnalysis analysis = AccessAnalysis.of(call, true);
                for (Argument argument : call.arguments()) {
                    valueOf(argument.source(), argument, analysis, reads, writes);
                }
            }
        }
        return new ValueFlow(Collections.unmodifiableSequencedSet(reads), Collections.unmodifiableSequencedSet(writes));
    }

    private static void valueOf(Source source, Argument argument, AccessAnalysis analysis, SequencedSet<String> reads,
            SequencedSet<String> writes) {
        switch (source) {
            case Source.Activation activation -> add(activation.value(), argument, analysis, reads, writes);
            case Source.LookUpTable table -> add(table.value(), argument, analysis, reads, writes);
            case Source.Packed packed -> packed.parts().forEach(part -> valueOf(part, argument, analysis, reads, writes));
            case Source.Weight _, Source.InterleavedWeights _, Source.Scratch _ -> { }
        }
    }

    private static void add(String value, Argument argument, AccessAnalysis analysis, SequencedSet<String> reads, SequencedSet<String> writes) {
        if (analysis.access(argument.name()).hostElements() > 0) {
            reads.add(value);
        }
        if (argument.readBack()) {
            writes.add(value);
        }
    }
}
