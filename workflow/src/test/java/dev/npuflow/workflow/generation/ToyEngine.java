package dev.npuflow.workflow.generation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A language model small enough to reason about: the logits of a position are a fixed pseudo-random function of all tokens before it, plus
/// noise of its own. Two of one seed and different noise are a reference and an NPU.
public final class ToyEngine implements TokenEngine {

    private final long seed;
    private final int vocabulary;
    private final double noise;
    private final long noiseSeed;
    private final List<Integer> context = new ArrayList<>();

    public ToyEngine(long seed, int vocabulary, double noise, long noiseSeed) {
        this.seed = seed;
        this.vocabulary = vocabulary;
        this.noise = noise;
        this.noiseSeed = noiseSeed;
    }

    @Override public float[] prefill(int[] prompt) {
        context.clear();
        for (int id : prompt) {
            context.add(id);
        }
        return logits();
    }

    @Override public float[] decode(int token) {
        context.add(token);
        return logits();
    }

    @Override public void close() {}

    private float[] logits() {
        Random exact = new Random(seed * 1_000_003 + context.hashCode());
        Random disturbed = new Random(noiseSeed * 7_919 + context.hashCode());
        float[] logits = new float[vocabulary];
        for (int id = 0; id < vocabulary; id++) {
            logits[id] = (float) (exact.nextGaussian() + noise * disturbed.nextGaussian());
        }
        return logits;
    }
}
