package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.lens.Localization.Fault;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.model.LanguageModel;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Judges every operator until one is beyond its noise, and explains that one.
final class FaultFinder implements Consumer<Seen> {

    private final int prompt;
    private final OperatorNoise noise;
    private final LaunchInputs inputs;
    private final InputEvidence launches;
    private final HostEvidence host;
    private final OutputEvidence outputs;
    private Optional<Fault> fault = Optional.empty();

    FaultFinder(LanguageModel model, Deployment deployment, ReferenceSteps reference, int prompt, OperatorNoise noise) {
        this.prompt = prompt;
        this.noise = noise;
        ContentFinder finder = new ContentFinder(model, reference);
        inputs = new LaunchInputs(deployment.model(), Definition.of(model.config()));
        WrongInput wrong = new WrongInput(deployment, inputs.definition());
        launches = new InputEvidence(finder, new WeightFinder(model), inputs, wrong);
        host = new HostEvidence(finder, inputs, wrong);
        outputs = new OutputEvidence(model, reference);
    }

    Optional<Fault> fault() {
        return fault;
    }

    @Override public void accept(Seen seen) {
        double limit = noise.limit(seen.phase(), operators(seen));
        if (fault.isPresent() || seen.difference() <= limit) {
            return;
        }
        Optional<Explanation> byInput = switch (seen) {
            case Seen.OnNpu onNpu -> launches.explain(onNpu);
            case Seen.OnHost onHost -> host.explain(onHost);
        };
        Explanation explanation = byInput.orElseGet(() -> outputs.explain(seen));
        String place = switch (seen) {
            case Seen.OnNpu onNpu -> onNpu.call().name() + "/" + onNpu.launch().name();
            case Seen.OnHost onHost -> onHost.op().name();
        };
        int row = Bf16Rows.firstBeyond(seen.actual(), seen.expected(), seen.rows(), limit);
        int position = seen.rows() == 1 ? seen.pass().firstPosition() + seen.pass().positions() - 1 : seen.pass().firstPosition() + row;
        fault = Optional.of(new Fault(prompt, seen.phase(), seen.pass().step(), position, seen.key().layer(), seen.key().name(), place,
                Math.min(seen.difference(), Float.MAX_VALUE), limit, explanation.involved(), explanation.hypothesis(), explanation.evidence()));
    }

    private List<String> operators(Seen seen) {
        return switch (seen) {
            case Seen.OnNpu onNpu -> inputs.computed(onNpu.launch(), seen.key()).stream().map(Key::name).toList();
            case Seen.OnHost _ -> List.of(seen.key().name());
        };
    }
}
