package dev.npuflow.workflow.reference;

import java.lang.foreign.MemorySegment;

/// Plain Java: runs everywhere.
final class ScalarDotProduct implements DotProduct {

    @Override public String name() {
        return "scalar";
    }

    @Override public float dot(MemorySegment weights, long offset, int[] pairs, int first, int columns) {
        float[] sums = new float[PartialSums.COUNT];
        PartialSums.accumulate(sums, weights, offset, pairs, first, 0, columns);
        return PartialSums.reduce(sums);
    }
}
