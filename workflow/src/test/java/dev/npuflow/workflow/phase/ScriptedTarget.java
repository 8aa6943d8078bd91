package dev.npuflow.workflow.phase;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.skill.Placement;
import dev.npuflow.workflow.decision.Repetition;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.gate.PromptCheck;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.generation.TokenTrace;
import dev.npuflow.workflow.ledger.Plans;
import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import dev.npuflow.workflow.lowering.StepTime.Section;
import dev.npuflow.workflow.measurement.Profile;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.model.Prompt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

/// A target whose every answer a test writes down beforehand, and which counts what it was asked: the one border that lets the loop be judged by
/// itself. A plan is known by its decode half.
final class ScriptedTarget implements Target {

    private static final long PICOSECONDS_A_MILLISECOND = 1_000_000_000;

    private final Repetition repetition;
    private final DoubleUnaryOperator clock;
    private final Map<String, Deque<Double>> times = new TreeMap<>();
    private final Map<String, Deque<Verdict>> verdicts = new TreeMap<>();
    private final Map<String, Deque<List<Blocker>>> compilations = new TreeMap<>();
    private final Map<String, String> selfCheckFailures = new TreeMap<>();
    private final Map<String, Integer> strayCalls = new TreeMap<>();
    private final Map<String, Double> stale = new TreeMap<>();
    private final Map<String, Verdict> longer = new TreeMap<>();
    private final List<String> asked = new ArrayList<>();

    /// It repeats exactly.
    ScriptedTarget() {
        this(new Repetition.Exact(), DoubleUnaryOperator.identity());
    }

    /// @param clock what it shows of each time that a test wrote down
    ScriptedTarget(Repetition repetition, DoubleUnaryOperator clock) {
        this.repetition = repetition;
        this.clock = clock;
    }

    /// The plan that every phase of the tests starts from, or the same with another decode half.
    static Deployment plan(String decode) {
        return Plans.plan("start").withPhase(Phase.DECODE, Plans.plan(decode).phase(Phase.DECODE));
    }

    /// @param milliseconds a token, one a measurement in order; the last holds for all that follow
    ScriptedTarget takes(String decode, double... milliseconds) {
        times.put(plan(decode).hash(), new ArrayDeque<>(DoubleStream.of(milliseconds).boxed().toList()));
        return this;
    }

    /// From its second compilation on the plan takes this: the target does not run it, but what it ran before.
    ScriptedTarget doesNotComeBack(String decode, double milliseconds) {
        stale.put(plan(decode).hash(), milliseconds);
        return this;
    }

    /// @param verdict one a verification in order; the last holds for all that follow
    ScriptedTarget judges(String decode, Verdict... verdict) {
        verdicts.put(plan(decode).hash(), new ArrayDeque<>(List.of(verdict)));
        return this;
    }

    /// The target has a longer check, and this is what it says of the plan.
    ScriptedTarget judgesLonger(String decode, Verdict verdict) {
        longer.put(plan(decode).hash(), verdict);
        return this;
    }

    ScriptedTarget failsTheSelfCheck(String decode, String failure) {
        selfCheckFailures.put(plan(decode).hash(), failure);
        return this;
    }

    /// @param compiles one a compilation in order; the last holds for all that follow
    ScriptedTarget compiles(String decode, Boolean... compiles) {
        Deque<List<Blocker>> answers = new ArrayDeque<>();
        for (boolean each : compiles) {
            answers.add(each ? List.of() : List.of(new Blocker("BD_COUNT", "launch", "out of buffer descriptors", "16 a shim tile", "Use a smaller group.")));
        }
        compilations.put(plan(decode).hash(), answers);
        return this;
    }

    /// The profile of this plan tells of XRT calls that the plan does not have.
    ScriptedTarget runsStrayCalls(String decode, int calls) {
        strayCalls.put(plan(decode).hash(), calls);
        return this;
    }

    /// What was asked of the target, such as `verify fast`, in order.
    List<String> asked() {
        return List.copyOf(asked);
    }

    private void ask(String what, Deployment deployment) {
        asked.add(question(what, deployment));
    }

    private static String question(String what, Deployment deployment) {
        return what + " " + deployment.phase(Phase.DECODE).prologue().getFirst().name();
    }

    private static <T> T next(Deque<T> answers) {
        return answers.size() == 1 ? answers.getFirst() : answers.removeFirst();
    }

    @Override public Set<DeviceTrait> traits() {
        return EnumSet.allOf(DeviceTrait.class);
    }

    @Override public String source() {
        return "scripted";
    }

    @Override public Placement placement() {
        return _ -> List.of();
    }

    @Override public Deployment baseline() {
        return plan("start");
    }

    @Override public List<Blocker> compile(Deployment deployment) {
        if (asked.contains(question("compile", deployment)) && stale.containsKey(deployment.hash())) {
            times.put(deployment.hash(), new ArrayDeque<>(List.of(stale.get(deployment.hash()))));
        }
        ask("compile", deployment);
        return compilations.containsKey(deployment.hash()) ? next(compilations.get(deployment.hash())) : List.of();
    }

    @Override public SelfCheck selfCheck(Deployment before, Deployment after, boolean changesArithmetic) {
        ask("self-check", after);
        return new SelfCheck(1, 0, 0, Optional.ofNullable(selfCheckFailures.get(after.hash())));
    }

    @Override public GateResult verify(Deployment deployment, int prompts) {
        ask("verify", deployment);
        return result(verdicts.containsKey(deployment.hash()) ? next(verdicts.get(deployment.hash())) : Verdict.PASS, GateRules.UPSTREAM);
    }

    @Override public Optional<GateResult> verifyLonger(Deployment deployment) {
        ask("verify longer", deployment);
        return Optional.ofNullable(longer.get(deployment.hash())).map(verdict -> result(verdict, GateRules.longer(GateRules.LONGER)));
    }

    private static GateResult result(Verdict verdict, GateRules rules) {
        if (verdict != Verdict.PASS) {
            return GateResult.withoutComparison(verdict, "scripted", rules);
        }
        TokenTrace trace = new TokenTrace(List.of(1), List.of(List.of(1)));
        return new GateResult(verdict, "scripted", rules,
                List.of(new PromptCheck(0, List.of(1), trace, trace, List.of(), List.of(), OptionalDouble.empty(), Optional.empty())), Optional.empty());
    }

    @Override public Profile profile(Deployment deployment, Prompt prompt, int tokens, boolean ignoreEos) {
        ask("profile", deployment);
        long time = Math.round(clock.applyAsDouble(next(times.get(deployment.hash()))) * PICOSECONDS_A_MILLISECOND);
        List<StepTime> decode = new ArrayList<>(List.of(new StepTime("host", Kind.HOST, Section.PROLOGUE, -1, 0, 0, time, 0, 0, 0, 0)));
        for (int call = 0; call < strayCalls.getOrDefault(deployment.hash(), 0); call++) {
            decode.add(new StepTime("stray", Kind.NPU, Section.LAYER, 0, 0, 0, 0, 0, 0, 0, 0));
        }
        return new Profile("toy", "npu2", deployment.hash(), source(), 1, 1, 64, 1, 0, 0, List.of(), decode, List.of(1, 1));
    }

    @Override public Repetition repetition() {
        return repetition;
    }

    @Override public void close() {}
}
