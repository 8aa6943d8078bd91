package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.gate.Yardstick;
import java.util.ArrayList;
import java.util.List;

/// Unrounded logits in memory: for small models that have no cache.
final class HeldLogits implements Yardstick {

    private final List<float[]> logits = new ArrayList<>();
    private final List<Double> noises = new ArrayList<>();

    void add(double noise, float[] step) {
        noises.add(noise);
        logits.add(step.clone());
    }

    @Override public int steps() {
        return noises.size();
    }

    @Override public int vocabulary() {
        return logits.getFirst().length;
    }

    @Override public float[] unrounded(int step) {
        return logits.get(step).clone();
    }

    @Override public double noise(int step) {
        return noises.get(step);
    }
}
