package dev.npuflow.workflow.lens;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import java.util.ArrayList;
import java.util.List;

/// How close the NPU stays to the reference, layer by layer, in prefill and in each decode step. Layers but the last compare the layer's output,
/// the last row the hidden state after the final norm (docs/upstream.md, "Diagnosis").
///
/// @param prompt what both sides read
/// @param steps  the prefill first
public record Diagnosis(String plan, String prompt, List<Step> steps) {

    /// A drop between neighbours larger than this is a cliff (docs/upstream.md, "Phases", phase 3).
    static final double CLIFF = 0.05;
    /// A cosine below this is one by itself (there too).
    static final double LOWEST = 0.85;

    public Diagnosis {
        steps = List.copyOf(steps);
    }

    /// @param step     0 for the prefill
    /// @param position of the first row
    /// @param rows     positions compared, in all layers but the last, whose final norm sees one
    public record Step(int step, int position, int rows, List<Layer> layers) {
        public Step {
            layers = List.copyOf(layers);
        }
    }

    public record Layer(int layer, RowComparison figures) {}

    /// @param text one line
    public record Finding(int step, int layer, String text) {}

    /// Where the 5th percentile of the cosine falls off a cliff, in the order of computation. It informs; the gate decides.
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        for (Step step : steps) {
            String where = step.step() == 0 ? "prefill" : "decode step " + step.step();
            double before = 1;
            for (Layer layer : step.layers()) {
                double cosine = layer.figures().cosine().p5();
                if (Math.abs(cosine - before) > CLIFF) {
                    findings.add(new Finding(step.step(), layer.layer(),
                            format(ROOT, "cliff at layer %d in %s: cos_p5 %.4f after %.4f", layer.layer(), where, cosine, before)));
                } else if (cosine < LOWEST) {
                    findings.add(new Finding(step.step(), layer.layer(),
                            format(ROOT, "layer %d in %s: cos_p5 %.4f is below %.2f", layer.layer(), where, cosine, LOWEST)));
                }
                before = cosine;
            }
        }
        return List.copyOf(findings);
    }
}
