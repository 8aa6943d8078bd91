package dev.npuflow.workflow.gate;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Compares what the old and the new plan computed on the same tokens, before the gate is asked: a skill that changes no
/// arithmetic must give the same bits, any other a cosine of at least 0.99 (docs/upstream.md, "Phase documents") in every vector.
///
/// @param cosine   smallest over all vectors
/// @param maxAbs   largest absolute difference; not finite where the shapes differ or a value is not finite, as `maxRel`
/// @param maxRel   largest difference over max(|old|, 1e-6), as upstream's diagnosis has it (docs/upstream.md, "Diagnosis")
/// @param failure  what failed first, in the order of computation; empty for a pass
public record SelfCheck(double cosine, double maxAbs, double maxRel, Optional<String> failure) {

    public static final double SMALLEST_COSINE = 0.99;

    public boolean passed() {
        return failure.isEmpty();
    }

    /// For the documents, one clause.
    public String text() {
        return failure.orElseGet(() -> maxAbs == 0 ? "equal to the plan before"
                : format(ROOT, "cosine %.6f to the plan before, largest difference %.4g", cosine, maxAbs));
    }

    /// The cosine for the documents; what stood in the way where there is none, such as vectors of different shapes.
    public String cosineText() {
        return figure(format(ROOT, "%.6f", cosine));
    }

    /// The same of the largest differences, absolute and relative.
    public String differenceText() {
        return figure(format(ROOT, "%.4g / %.4g", maxAbs, maxRel));
    }

    private String figure(String text) {
        return Double.isFinite(maxAbs) && Double.isFinite(maxRel) ? text : "none (%s)".formatted(failure.orElseThrow());
    }

    /// @param changesArithmetic whether last bits may differ
    public static SelfCheck compare(List<ObservedStep> before, List<ObservedStep> after, boolean changesArithmetic) {
        Optional<String> shape = differentShape(before, after);
        if (shape.isPresent()) {
            return new SelfCheck(0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, shape);
        }
        Optional<String> failure = Optional.empty();
        double cosine = 1;
        double maxAbs = 0;
        double maxRel = 0;
        for (int i = 0; i < before.size(); i++) {
            for (int v = 0; v < before.get(i).vectors().size(); v++) {
                ObservedStep.Vector old = before.get(i).vectors().get(v);
                VectorDifference found = VectorDifference.of(old.values(), after.get(i).vectors().get(v).values());
                cosine = Math.min(cosine, found.cosine());
                maxAbs = Math.max(maxAbs, found.maxAbs());
                maxRel = Math.max(maxRel, found.maxRel());
                if (failure.isEmpty()) {
                    String where = format(ROOT, "step %d, %s", before.get(i).step(), old.name());
                    failure = found.fault(changesArithmetic).map(fault -> where + ": " + fault);
                }
            }
        }
        return new SelfCheck(cosine, maxAbs, maxRel, failure);
    }

    private static Optional<String> differentShape(List<ObservedStep> before, List<ObservedStep> after) {
        if (before.stream().allMatch(step -> step.vectors().isEmpty())) {
            return Optional.of("nothing was compared");
        }
        if (before.size() != after.size()) {
            return Optional.of(format(ROOT, "%d steps before, %d after", before.size(), after.size()));
        }
        return IntStream.range(0, before.size())
                .filter(i -> !shape(before.get(i)).equals(shape(after.get(i))))
                .mapToObj(i -> format(ROOT, "step %d holds %s before, %s after", before.get(i).step(), shape(before.get(i)), shape(after.get(i))))
                .findFirst();
    }

    private static List<String> shape(ObservedStep step) {
        return step.vectors().stream().map(vector -> format(ROOT, "%s[%d]", vector.name(), vector.values().length)).toList();
    }
}
