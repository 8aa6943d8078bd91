package dev.npuflow.workflow.phase;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.skill.Placement;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.decision.Repetition;
import dev.npuflow.workflow.gate.Gate;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.generation.TokenTrace;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunKey;
import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import dev.npuflow.workflow.lowering.StepTime.Section;
import dev.npuflow.workflow.measurement.Profile;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.phase.PhaseResult.Status;
import dev.npuflow.workflow.report.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Phase 4 by times that a target says: the wall time of a prefill decides, its kernels' time stands beside and has to fall as well (ADR 11).
class PhaseLoopTest {

    private static final long MILLISECOND = 1_000_000_000;

    @TempDir Path workspace;

    /// Milliseconds of a prefill of a plan whose call has this name.
    private record Times(String call, long kernels, long host) {}

    private PhaseResult phase4(Times before, Times after) {
        try (Ledger ledger = Ledger.open(workspace)) {
            RunId run = ledger.beginRun(new RunKey("toy", GatedPhase.PREFILL, "d"), new TreeMap<>());
            PhaseJournal journal = new PhaseJournal(ledger, run, "d", PhaseProgress.SILENT, (_, _) -> "");
            PhaseOptions options = new PhaseOptions(List.of(), new TreeMap<>(), false, false, 1, 1, Duration.ofSeconds(5));
            return new PhaseLoop(new Stopwatch(List.of(before, after)), PhaseDescription.PREFILL, options, Prompt.ofIds(new int[] {1}), journal)
                    .run(plan(before.call), SkillCatalog.of(List.of(new Renaming(before.call, after.call))).skills());
        }
    }

    @Test void what_lowers_wall_time_and_kernels_is_kept_and_the_wall_time_leads() {
        PhaseResult result = phase4(new Times("slow", 40, 60), new Times("fast", 20, 70));
        assertEquals(Status.PASS, result.status());
        assertEquals("verified, and faster than the baseline: 100.000 → 90.000 ms of prefill, its kernels 40.000 → 20.000 ms", result.reason());
        assertEquals(100.0 / 90, result.speedUp(), 1e-12);
        assertEquals("100.000 → 90.000 ms of prefill, 10.0 % less", result.skills().getFirst().reason());
    }

    @Test void faster_kernels_are_not_kept_where_the_prefill_takes_longer() {
        PhaseResult result = phase4(new Times("slow", 40, 60), new Times("fast", 20, 90));
        assertEquals(Outcome.REVERTED, result.skills().getFirst().outcome());
        assertEquals(Status.FAIL, result.status());
        assertEquals("verified, and not faster than the baseline: 100.000 → 100.000 ms of prefill, its kernels 40.000 → 40.000 ms", result.reason());
    }

    @Test void a_host_step_that_saves_time_is_kept_but_the_phase_asks_for_faster_kernels_too() {
        PhaseResult result = phase4(new Times("slow", 40, 60), new Times("fast", 40, 50));
        assertEquals(Outcome.APPLIED, result.skills().getFirst().outcome());
        assertEquals(Status.FAIL, result.status());
        assertEquals("verified, and faster than the baseline, but not its kernels: 100.000 → 90.000 ms of prefill, its kernels 40.000 → 40.000 ms", result.reason());
    }

    private static Deployment plan(String call) {
        ModelShape model = new ModelShape("toy", 1, 64, 128, 4, 2, 16, 32, true, false, false, 1e-5, 2048);
        return new Deployment(model, "npu2", phase(call), phase("token"));
    }

    private static PhasePlan phase(String call) {
        Operand all = new Operand("x", 0, 1024);
        Launch launch = new Launch("add", "eltwise_add", "add", new TreeMap<>(), new TreeMap<>(), new Herd(1, 1), new TreeMap<>(), new TreeMap<>(),
                new TreeMap<>(Map.of("out", all)));
        Argument argument = new Argument("x", List.of(1024), DataType.BF16, new Source.Activation("x"), Transfer.EVERY_CALL, false);
        return new PhasePlan(List.of(), List.of(new NpuCall(call, List.of(launch), List.of(argument), BufferKey.SHARED, new ElfOptions(false, 1))), List.of());
    }

    /// Gives the prefill's call another name.
    private record Renaming(String before, String after) implements Skill {

        @Override public String name() {
            return "opt-rename";
        }

        @Override public Assessment assess(Deployment deployment, SkillContext context) {
            return Assessment.proposal(deployment.withPhase(Phase.PREFILL, phase(after)), "a call is named " + before);
        }
    }

    /// Knows the times of plans by the name of their call; every plan is right.
    private record Stopwatch(List<Times> times) implements Target {

        @Override public Profile profile(Deployment deployment, Prompt prompt, int tokens, boolean ignoreEos) {
            String call = deployment.prefill().calls().findFirst().orElseThrow().name();
            Times known = times.stream().filter(each -> each.call.equals(call)).findFirst().orElseThrow();
            List<StepTime> prefill = List.of(step("call", Kind.NPU, known.kernels), step("host", Kind.HOST, known.host));
            return new Profile("toy", "npu2", deployment.hash(), source(), 1, 1, 2048, 1, 0, 0, prefill, List.of(step("call", Kind.NPU, 1)), List.of(1, 2));
        }

        private static StepTime step(String name, Kind kind, long milliseconds) {
            return new StepTime(name, kind, Section.LAYER, 0, 0, 0, milliseconds * MILLISECOND, 0, 0, 0, 0);
        }

        @Override public GateResult verify(Deployment deployment, int prompts) {
            TokenTrace same = new TokenTrace(Collections.nCopies(32, 1), Collections.nCopies(32, List.of(1, 2, 3, 4, 5)));
            return Gate.decide(List.of(Gate.check(0, List.of(1), same, same, GateRules.UPSTREAM, List.of(), OptionalDouble.empty(), Optional.empty())), 1, GateRules.UPSTREAM);
        }

        @Override public Set<DeviceTrait> traits() {
            return Set.of();
        }

        @Override public String source() {
            return "said by a test";
        }

        @Override public Placement placement() {
            return _ -> List.of();
        }

        @Override public Deployment baseline() {
            return plan(times.getFirst().call);
        }

        @Override public List<Blocker> compile(Deployment deployment) {
            return List.of();
        }

        @Override public SelfCheck selfCheck(Deployment before, Deployment after, boolean changesArithmetic) {
            throw new IllegalStateException("it is off");
        }

        @Override public Repetition repetition() {
            return new Repetition.Exact();
        }

        @Override public void close() {}
    }
}
