package dev.npuflow.workflow.measurement;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.workflow.gate.ObservedStep;
import dev.npuflow.workflow.gate.ObservedStep.Vector;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.lowering.StepTime;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Keeps what each layer put out: the value `x` as the layer's last step leaves it.
final class LayerOutputs implements RunObserver {

    private final int layers;
    private final TreeMap<Integer, short[]> byLayer = new TreeMap<>();

    LayerOutputs(int layers) {
        this.layers = layers;
    }

    void clear() {
        byLayer.clear();
    }

    @Override public void afterStep(StepTime time, Values values) {
        if (time.section() == StepTime.Section.LAYER) {
            values.find("x").ifPresent(x -> byLayer.put(time.layer(), x));
        }
    }

    ObservedStep step(int step, float[] logits) {
        List<Vector> vectors = new ArrayList<>();
        for (int layer = 0; layer < layers; layer++) {
            short[] output = byLayer.getOrDefault(layer, new short[0]);
            float[] widened = new float[output.length];
            for (int i = 0; i < output.length; i++) {
                widened[i] = Bfloat16.toFloat(output[i]);
            }
            vectors.add(new Vector("layer " + layer, widened));
        }
        vectors.add(new Vector("logits", logits));
        return new ObservedStep(step, vectors);
    }
}
