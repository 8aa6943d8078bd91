package dev.npuflow.workflow.model;

import static java.lang.StrictMath.pow;

/// Inverse frequencies of the rotated pairs, scaling applied, as a function of a pass's length: the position of its last token plus one, as transformers'
/// `dynamic_rope_update` counts it (modeling_rope_utils.py). What a run rotated in an earlier pass stays as it is in the KV cache.
///
/// Source: transformers 4.57 and 5. Transformers keeps the largest length that a process has seen; here nothing is kept from query to query, so that a
/// result depends on its own query alone.
public sealed interface InverseFrequencies {

    /// @param length positions from 0 to the last token of the pass, at least 1
    /// @return one value a rotated pair, fp32
    float[] at(int length);

    /// The same at every length.
    record Fixed(float[] values) implements InverseFrequencies {

        public Fixed {
            values = values.clone();
        }

        @Override public float[] at(int length) {
            return values.clone();
        }

        @Override public float[] values() {
            return values.clone();
        }
    }

    /// Longrope: one list up to the original length, another one beyond it.
    record Switched(int originalPositions, float[] within, float[] beyond) implements InverseFrequencies {

        public Switched {
            within = within.clone();
            beyond = beyond.clone();
        }

        @Override public float[] at(int length) {
            return length > originalPositions ? beyond() : within();
        }

        @Override public float[] within() {
            return within.clone();
        }

        @Override public float[] beyond() {
            return beyond.clone();
        }
    }

    /// Dynamic NTK: beyond the pretrained length the base grows with every position.
    record Growing(int rotaryDim, double theta, double factor, int pretrainedPositions) implements InverseFrequencies {

        @Override public float[] at(int length) {
            double growth = factor * Math.max(length, pretrainedPositions) / pretrainedPositions - (factor - 1);
            return ofBase(rotaryDim == 2 ? theta : theta * pow(growth, rotaryDim / (rotaryDim - 2.0)), rotaryDim);
        }
    }

    /// 1 / base^(2 · pair / rotaryDim), computed in double with StrictMath (equal on every machine) and rounded once to fp32.
    private static float[] ofBase(double base, int rotaryDim) {
        float[] values = new float[rotaryDim / 2];
        for (int pair = 0; pair < values.length; pair++) {
            values[pair] = (float) unscaled(base, pair, rotaryDim);
        }
        return values;
    }

    /// The frequency of a pair before any scaling.
    static double unscaled(double base, int pair, int rotaryDim) {
        return 1 / pow(base, 2.0 * pair / rotaryDim);
    }
}
