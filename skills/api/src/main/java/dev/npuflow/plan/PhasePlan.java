package dev.npuflow.plan;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// The steps of one phase: `prologue` once, `layer` once per decoder layer, `epilogue` once.
public record PhasePlan(List<Step> prologue, List<Step> layer, List<Step> epilogue) {

    public PhasePlan {
        prologue = List.copyOf(prologue);
        layer = List.copyOf(layer);
        epilogue = List.copyOf(epilogue);
    }

    /// Every step of the description, each once.
    public Stream<Step> steps() {
        return Stream.of(prologue, layer, epilogue).flatMap(List::stream);
    }

    public Stream<NpuCall> calls() {
        return steps().filter(NpuCall.class::isInstance).map(NpuCall.class::cast);
    }

    /// NPU calls of one pass over `layers` layers.
    public long callsPerPass(int layers) {
        return count(prologue) + layers * count(layer) + count(epilogue);
    }

    public PhasePlan mapSections(UnaryOperator<List<Step>> change) {
        return new PhasePlan(change.apply(prologue), change.apply(layer), change.apply(epilogue));
    }

    public PhasePlan mapCalls(UnaryOperator<NpuCall> change) {
        return mapCalls((call, _) -> change.apply(call));
    }

    /// `change` is told with each call whether it stands in the layer section.
    public PhasePlan mapCalls(BiFunction<NpuCall, Boolean, NpuCall> change) {
        return new PhasePlan(mapCalls(prologue, false, change), mapCalls(layer, true, change), mapCalls(epilogue, false, change));
    }

    private static List<Step> mapCalls(List<Step> section, boolean inLayer, BiFunction<NpuCall, Boolean, NpuCall> change) {
        return section.stream().map(step -> switch (step) {
            case NpuCall call -> (Step) change.apply(call, inLayer);
            case HostOp op -> op;
        }).toList();
    }

    private static long count(List<Step> section) {
        return section.stream().filter(NpuCall.class::isInstance).count();
    }
}
