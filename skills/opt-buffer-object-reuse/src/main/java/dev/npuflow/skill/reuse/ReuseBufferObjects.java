package dev.npuflow.skill.reuse;

import static dev.npuflow.skill.Assessment.applies;
import static dev.npuflow.skill.Assessment.doesNotApply;

import dev.npuflow.plan.AccessAnalysis;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.FailureMode;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import java.util.List;
import java.util.Locale;

/// Writes to the device only what it does not have: weights stay there, in buffer objects of their own for each layer (B1), and what the
/// launches overwrite anyway is not uploaded (B2). Both sets follow from the launch graph ([AccessAnalysis]), not from
/// hand-kept index lists. Values do not change, so the self-check demands equal bits.
public final class ReuseBufferObjects implements Skill {

    @Override public String name() {
        return "opt-buffer-object-reuse";
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        int layers = deployment.model().layers();
        long saved = written(deployment.phase(context.phase()), layers) - written(apply(deployment, context).phase(context.phase()), layers);
        return saved == 0 ? doesNotApply("every argument that is written has a new host value on every call")
                : applies(String.format(Locale.ROOT, "%.2f MiB less written per pass", saved / 1048576.0));
    }

    @Override public Deployment apply(Deployment deployment, SkillContext context) {
        PhasePlan plan = deployment.phase(context.phase()).mapCalls((call, inLayer) -> reuse(call, inLayer, context));
        return deployment.withPhase(context.phase(), plan);
    }

    private static NpuCall reuse(NpuCall call, boolean inLayer, SkillContext context) {
        boolean weights = on(context, "b1");
        NpuCall keyed = weights && inLayer ? keyedByNeed(call) : call;
        AccessAnalysis access = AccessAnalysis.of(keyed, inLayer);
        return keyed.mapArguments(argument -> argument.transfer() != Transfer.EVERY_CALL ? argument
                : switch (access.access(argument.name()).reuse()) {
                    case NONE -> argument;
                    case STATIC -> weights ? argument.withTransfer(Transfer.STATIC) : argument;
                    case INTERMEDIATE, DEAD -> on(context, "b2") ? argument.withTransfer(Transfer.INTERMEDIATE) : argument;
                });
    }

    /// A key per layer only where it makes more arguments static: it costs a set of buffer objects a layer.
    private static NpuCall keyedByNeed(NpuCall call) {
        NpuCall perLayer = call.withBufferKey(BufferKey.PER_LAYER);
        int more = AccessAnalysis.of(perLayer, true).staticSet().size() - AccessAnalysis.of(call, true).staticSet().size();
        return more > 0 ? perLayer : call;
    }

    private static boolean on(SkillContext context, String option) {
        return !context.options().getOrDefault(option, "on").equals("off");
    }

    private static long written(PhasePlan plan, int layers) {
        long[] bytes = {0};
        plan.mapCalls((call, inLayer) -> {
            bytes[0] += (inLayer ? layers : 1) * call.arguments().stream().filter(argument -> argument.transfer() == Transfer.EVERY_CALL)
                    .mapToLong(argument -> argument.bytes()).sum();
            return call;
        });
        return bytes[0];
    }

    @Override public List<FailureMode> failureModes() {
        return List.of(
                new FailureMode("right in the first call, stale from the second on", "a value that changes per call is marked static",
                        "leave look-up tables and activations on every call"),
                new FailureMode("right in layer 0, wrong from layer 1 on", "static weights under a buffer key that all layers share",
                        "key the buffer objects per layer"),
                new FailureMode("right in the first call, leftovers later", "an intermediate is read before a launch writes it",
                        "mark as intermediate only what every run writes first"));
    }
}
