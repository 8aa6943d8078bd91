package dev.npuflow.skill.reuse;

import dev.npuflow.plan.AccessAnalysis;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Evidence;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.SkillOption;
import dev.npuflow.skill.SkillOption.Switch;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Writes to the device only what it does not have: weights stay there, in buffer objects of their own for each layer (B1), and what the
/// launches overwrite anyway is not uploaded (B2). Both sets follow from the launch graph ([AccessAnalysis]), not from
/// hand-kept index lists. Values do not change, so the self-check demands equal bits.
public final class ReuseBufferObjects implements Skill {

    private static final double MIB = 1048576.0;
    private static final Switch WEIGHTS = new Switch("b1", true, "weights stay on the device");
    private static final Switch INTERMEDIATES = new Switch("b2", true, "what the device overwrites is not uploaded");

    @Override public String name() {
        return "opt-buffer-object-reuse";
    }

    @Override public int order() {
        return 400;
    }

    @Override public List<SkillOption> options() {
        return List.of(WEIGHTS, INTERMEDIATES);
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        PhasePlan before = deployment.phase(context.phase());
        PhasePlan after = before.mapCalls((call, inLayer) -> reuse(call, inLayer, context));
        int layers = deployment.model().layers();
        long saved = written(before, layers) - written(after, layers);
        if (saved == 0) {
            return Assessment.notApplicable("every argument that is written has a new host value on every call");
        }
        return Assessment.proposal(deployment.withPhase(context.phase(), after), String.format(Locale.ROOT, "%.2f MiB less written per pass", saved / MIB))
                .withEvidence(List.of(Evidence.of("Buffer-object reuse", "B1 weight BOs: " + kept(before, after, Transfer.STATIC, "nothing new to keep on the device"),
                        "B2 intermediate BOs: " + kept(before, after, Transfer.INTERMEDIATE, "nothing new that the device overwrites"))));
    }

    /// Arguments that are no longer written on every call, by what they became.
    private static String kept(PhasePlan before, PhasePlan after, Transfer transfer, String nothing) {
        Set<String> written = arguments(before, Transfer.EVERY_CALL).keySet();
        SortedMap<String, Argument> kept = arguments(after, transfer);
        kept.keySet().retainAll(written);
        return kept.isEmpty() ? "skipped (%s)".formatted(nothing)
                : String.format(Locale.ROOT, "applied (%d arguments, %.3f MiB a set)", kept.size(), kept.values().stream().mapToLong(Argument::bytes).sum() / MIB);
    }

    /// By `call.argument`.
    private static SortedMap<String, Argument> arguments(PhasePlan plan, Transfer transfer) {
        SortedMap<String, Argument> found = new TreeMap<>();
        plan.calls().forEach(call -> call.arguments().stream().filter(argument -> argument.transfer() == transfer)
                .forEach(argument -> found.put(call.name() + "." + argument.name(), argument)));
        return found;
    }

    private static NpuCall reuse(NpuCall call, boolean inLayer, SkillContext context) {
        boolean weights = context.isOn(WEIGHTS);
        NpuCall keyed = weights && inLayer ? keyedByNeed(call) : call;
        AccessAnalysis access = AccessAnalysis.of(keyed, inLayer);
        return keyed.mapArguments(argument -> argument.transfer() != Transfer.EVERY_CALL ? argument
                : switch (access.access(argument.name()).reuse()) {
                    case NONE -> argument;
                    case STATIC -> weights ? argument.withTransfer(Transfer.STATIC) : argument;
                    case INTERMEDIATE, DEAD -> context.isOn(INTERMEDIATES) ? argument.withTransfer(Transfer.INTERMEDIATE) : argument;
                });
    }

    /// A key per layer only where it makes more arguments static: it costs a set of buffer objects a layer.
    private static NpuCall keyedByNeed(NpuCall call) {
        NpuCall perLayer = call.withBufferKey(BufferKey.PER_LAYER);
        int more = AccessAnalysis.of(perLayer, true).staticSet().size() - AccessAnalysis.of(call, true).staticSet().size();
        return more > 0 ? perLayer : call;
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
}
