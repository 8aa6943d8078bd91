package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.reference.IntermediateObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Runs a plan and the reference side by side on one prompt; from the first decode step on both read the reference's tokens.
public final class Diagnoser {

    private final LanguageModel model;
    private final PlanRunner runner;

    public Diagnoser(LanguageModel model, PlanRunner runner) {
        this.model = model;
        this.runner = runner;
    }

    /// @param decodeSteps after the prefill; 0 for none
    public Diagnosis diagnose(Deployment deployment, Prompt prompt, int decodeSteps) {
        LayerHiddenStates npu = new LayerHiddenStates();
        List<Diagnosis.Step> steps = new ArrayList<>();
        try (ReferenceSteps reference = new ReferenceSteps(model, prompt.idArray(), Set.of(ModelEnds.STREAM, ModelEnds.FINAL_NORM.output())::contains);
                DeploymentRun run = runner.open(deployment, npu)) {
            run.preload();
            for (int step = 0; step <= decodeSteps; step++) {
                npu.clear();
                if (step == 0) {
                    run.prefill(prompt.idArray());
                } else {
                    run.decode(reference.token(step));
                }
                steps.add(compare(npu, reference.pass(step)));
            }
        }
        return new Diagnosis(deployment.hash(), prompt.text(), steps);
    }

    private Diagnosis.Step compare(LayerHiddenStates npu, ReferencePass pass) {
        List<Diagnosis.Layer> layers = new ArrayList<>();
        int last = model.config().layers() - 1;
        for (int layer = 0; layer <= last; layer++) {
            short[] expected = pass.get(layer == last ? new Key(IntermediateObserver.NO_LAYER, ModelEnds.FINAL_NORM.output())
                    : new Key(layer, ModelEnds.STREAM));
            Optional<short[]> seen = layer == last ? npu.finalNormed : npu.of(layer);
            if (seen.filter(values -> values.length >= expected.length).isPresent()) {
                layers.add(new Diagnosis.Layer(layer, RowComparison.of(seen.get(), expected, layer == last ? 1 : pass.positions())));
            }
        }
        return new Diagnosis.Step(pass.step(), pass.firstPosition(), pass.positions(), layers);
    }

    /// The value `x` as each layer leaves it, and `x_final`; a value that a plan does not hand over is left out, as upstream skips a missing layer.
    private static final class LayerHiddenStates implements RunObserver {

        private final TreeMap<Integer, short[]> outputs = new TreeMap<>();
        private Optional<short[]> finalNormed = Optional.empty();

        void clear() {
            outputs.clear();
            finalNormed = Optional.empty();
        }

        Optional<short[]> of(int layer) {
            return Optional.ofNullable(outputs.get(layer));
        }

        @Override public void afterStep(StepTime time, Values values) {
            switch (time.section()) {
                case PROLOGUE -> { }
                case LAYER -> values.find(ModelEnds.STREAM.name()).ifPresent(x -> outputs.put(time.layer(), x));
                case EPILOGUE -> finalNormed = values.find(ModelEnds.FINAL_NORM.output().name());
            }
        }
    }
}
