package dev.npuflow.workflow.report;

import dev.npuflow.workflow.gate.DistributionCheck;
import dev.npuflow.workflow.gate.Gate;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.gate.PromptCheck;
import dev.npuflow.workflow.generation.TokenTrace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/// The example of docs/upstream.md, "Verify report": prompt 0 differs at step 9 within the top 5, prompt 1 at step 4 outside, prompt 2 nowhere.
final class SampleGate {

    private static final Map<Integer, String> WORDS = Map.of(1, "A", 2, " GPU", 3, " is", 19, " the", 1019, " a", 99999, " a\n|");

    private SampleGate() {}

    static VerifySubject subject(String... prompts) {
        return new VerifySubject("npuflow.sim", "llama32_1b", "meta-llama/Llama-3.2-1B", false, Optional.of("prompts.txt"), OptionalInt.of(2),
                List.of(prompts), "f00d", "simulated on npu2", SampleGate::decode);
    }

    private static String decode(List<Integer> ids) {
        return String.join("", ids.stream().map(id -> WORDS.getOrDefault(id, "?")).toList());
    }

    static GateResult result(int prompts) {
        List<PromptCheck> checks = List.of(
                check(0, 9, List.of(1019, 19, 5, 6, 7), List.of(19, 1019, 5, 6, 7)),
                check(1, 4, List.of(99999, 54, 5, 6, 7), List.of(54, 1054, 2054, 3054, 4054)),
                check(2, 32, List.of(), List.of()));
        return Gate.decide(checks.subList(0, prompts), prompts, GateRules.UPSTREAM);
    }

    static GateResult pass() {
        return Gate.decide(List.of(check(0, 32, List.of(), List.of())), 1, GateRules.UPSTREAM);
    }

    /// Tokens that are equal, and a distribution at four times the noise.
    static GateResult distributed() {
        TokenTrace same = trace(Collections.nCopies(32, List.of(1, 2, 3, 4, 5)));
        return Gate.decide(List.of(Gate.check(0, List.of(9), same, same, GateRules.UPSTREAM, List.of(), OptionalDouble.empty(),
                Optional.of(new DistributionCheck(0.004, 0.001, 0.02, 0.005, 32)))), 1, GateRules.UPSTREAM);
    }

    private static PromptCheck check(int index, int step, List<Integer> npuTop, List<Integer> referenceTop) {
        List<List<Integer>> npu = new ArrayList<>(Collections.nCopies(32, List.of(1, 2, 3, 4, 5)));
        npu.set(1, List.of(2, 1, 3, 4, 5));
        npu.set(2, List.of(3, 1, 2, 4, 5));
        List<List<Integer>> reference = new ArrayList<>(npu);
        if (step < 32) {
            npu.set(step, npuTop);
            reference.set(step, referenceTop);
        }
        return Gate.check(index, List.of(9), trace(npu), trace(reference), GateRules.UPSTREAM, List.of(), OptionalDouble.of(0.25), Optional.empty());
    }

    private static TokenTrace trace(List<List<Integer>> topK) {
        return new TokenTrace(topK.stream().map(List::getFirst).toList(), topK);
    }
}
