package dev.npuflow.workflow.lowering;

import dev.npuflow.plan.AccessAnalysis;
import dev.npuflow.plan.ArgumentAccess;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.PlanWarning;
import dev.npuflow.plan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// What follows from a plan without running it, for `npuflow plan`: its hash, the derived sets of each call, and where the plan's transfers
/// differ from them.
///
/// @param calls    prefill first, in plan order
public record PlanDerivation(String hash, String model, String device, List<CallSets> calls, List<PlanWarning> warnings) {

    public PlanDerivation {
        calls = List.copyOf(calls);
        warnings = List.copyOf(warnings);
    }

    /// The sets by argument name; `writtenBytes` is what every call after the first writes.
    ///
    /// @param section `prologue`, `layer` or `epilogue`
    public record CallSets(Phase phase, String section, String call, List<String> launches, BufferKey bufferKey, boolean pingPong,
            List<String> everyCall, List<String> staticSet, List<String> intermediate, List<String> dead, List<String> output, long writtenBytes) {}

    public static PlanDerivation of(Deployment deployment) {
        List<CallSets> calls = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            PhasePlan plan = deployment.phase(phase);
            sets(phase, "prologue", plan.prologue()).forEach(calls::add);
            sets(phase, "layer", plan.layer()).forEach(calls::add);
            sets(phase, "epilogue", plan.epilogue()).forEach(calls::add);
        }
        return new PlanDerivation(deployment.hash(), deployment.model().name(), deployment.device(), calls, PlanWarning.of(deployment));
    }

    private static Stream<CallSets> sets(Phase phase, String section, List<Step> steps) {
        return steps.stream().filter(NpuCall.class::isInstance).map(NpuCall.class::cast).map(call -> {
            AccessAnalysis access = AccessAnalysis.of(call, section.equals("layer"));
            long written = call.arguments().stream().filter(argument -> switch (argument.transfer()) {
                case EVERY_CALL -> true;
                case STATIC, INTERMEDIATE -> false;
            }).mapToLong(argument -> argument.bytes()).sum();
            List<String> every = access.arguments().stream().filter(argument -> !argument.mayStayOnDevice())
                    .map(ArgumentAccess::argument).toList();
            return new CallSets(phase, section, call.name(), call.launches().stream().map(Launch::name).toList(), call.bufferKey(),
                    call.options().pingPong(), every, access.staticSet(), access.intermediateSet(), access.deadSet(), access.outputSet(), written);
        });
    }

    /// Lines for people: a call a block, then the warnings.
    public String text() {
        StringBuilder text = new StringBuilder("plan %s of %s on %s\n".formatted(hash, model, device));
        for (CallSets call : calls) {
            text.append("%s %s  %s  [%d %s, %s, ping-pong %s]\n".formatted(call.phase.name().toLowerCase(Locale.ROOT), call.section, call.call,
                    call.launches.size(), call.launches.size() == 1 ? "launch" : "launches",
                    call.bufferKey == BufferKey.SHARED ? "one BO set" : "BO set per layer", call.pingPong ? "on" : "off"));
            line(text, "every call", call.everyCall);
            line(text, "static", call.staticSet);
            line(text, "intermediate", call.intermediate);
            line(text, "dead", call.dead);
            line(text, "output", call.output);
            text.append("    %-13s %d bytes a call\n".formatted("written", call.writtenBytes));
        }
        warnings.forEach(warning -> text.append("warning: ").append(warning.text()).append('\n'));
        return text.toString();
    }

    private static void line(StringBuilder text, String what, List<String> names) {
        if (!names.isEmpty()) {
            text.append("    %-13s %s\n".formatted(what, String.join(", ", names)));
        }
    }
}
