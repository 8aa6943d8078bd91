package dev.npuflow.workflow.estimate;

import dev.npuflow.npu.clock.ElfTiming.LaunchTiming;
import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lowering.PlanTiming;
import dev.npuflow.workflow.lowering.StepCost;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The cost of a plan for a text: every figure is a sum of the costs of its steps.
///
/// @param prefill one pass over the prompt
/// @param decode  the mean decode pass: host operations grow with the context, NPU calls do not
public record Estimate(Deployment deployment, TextLength text, List<StepCost> prefill, List<StepCost> decode, double millisecondsPerToken) {

    /// What bounds an XRT call between its launches.
    public static final String DISPATCH = "dispatch and configuration";

    public Estimate {
        prefill = List.copyOf(prefill);
        decode = List.copyOf(decode);
    }

    public static Estimate of(Deployment deployment, TextLength text, PlanTiming timing) {
        List<StepCost> prefill = timing.pass(deployment, Phase.PREFILL, text.promptTokens());
        List<List<StepCost>> passes = new ArrayList<>();
        for (int step = 0; step < text.decodedTokens(); step++) {
            passes.add(timing.pass(deployment, Phase.DECODE, text.positionsAfter(step)));
        }
        Picoseconds total = Picoseconds.sum(passes.stream().flatMap(List::stream).map(StepCost::total));
        return new Estimate(deployment, text, prefill, mean(passes), total.milliseconds() / text.decodedTokens());
    }

    private static List<StepCost> mean(List<List<StepCost>> passes) {
        List<StepCost> first = passes.getFirst();
        List<StepCost> mean = new ArrayList<>();
        for (int i = 0; i < first.size(); i++) {
            StepCost step = first.get(i);
            long run = 0;
            for (List<StepCost> pass : passes) {
                run += pass.get(i).run().value();
            }
            mean.add(new StepCost(step.name(), step.kind(), step.section(), step.repeats(), step.write(), new Picoseconds(run / passes.size()), step.read(),
                    step.bytesWritten(),
                    step.dispatch(), step.launches()));
        }
        return mean;
    }

    public double tokensPerSecond() {
        return 1000 / millisecondsPerToken;
    }

    /// From the first host operation of the prefill to its token; tokenizing and detokenizing are not in it.
    public double secondsToFirstToken() {
        return Picoseconds.sum(prefill.stream().map(StepCost::total)).seconds();
    }

    public List<StepCost> phase(Phase phase) {
        return switch (phase) {
            case PREFILL -> prefill;
            case DECODE -> decode;
        };
    }

    /// XRT calls that one layer makes.
    public long callsPerLayer(Phase phase) {
        return deployment.phase(phase).layer().stream().filter(NpuCall.class::isInstance).count();
    }

    /// Milliseconds of a decode token by what bounds them, most first: launches by their resource, the rest of XRT calls as [#DISPATCH] and host
    /// operations as host.
    public SequencedMap<String, Double> bounds(Phase phase) {
        Map<String, Picoseconds> times = new TreeMap<>();
        for (StepCost step : phase(phase)) {
            Picoseconds launches = Picoseconds.ZERO;
            for (LaunchTiming launch : step.launches()) {
                times.merge(launch.boundBy(), launch.time().times(step.repeats()), Picoseconds::plus);
                launches = launches.plus(launch.time());
            }
            times.merge(step.kind() == Kind.NPU ? DISPATCH : StepCost.HOST, step.once().minus(launches).times(step.repeats()), Picoseconds::plus);
        }
        SequencedMap<String, Double> sorted = new LinkedHashMap<>();
        Stream<Map.Entry<String, Picoseconds>> most = times.entrySet().stream()
                .sorted(Map.Entry.<String, Picoseconds>comparingByValue(Comparator.reverseOrder()).thenComparing(Map.Entry.comparingByKey()));
        most.forEach(bound -> sorted.put(bound.getKey(), bound.getValue().milliseconds()));
        return sorted;
    }
}
