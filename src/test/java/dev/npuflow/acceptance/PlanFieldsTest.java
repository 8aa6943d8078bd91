package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.measurement.Profile;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.trial.Trial;
import dev.npuflow.workflow.trial.TrialWatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A skill that sets one field of a plan to another value, for every field and many values: the phase refuses the plan, reverts it, or it is the same plan in other
/// words. No value makes a time that is not true, and none ends the phase.
class PlanFieldsTest {

    /// Fields that say how a kernel is built or when bytes are moved. Another value is another honest plan, and may be faster.
    private static final String KNOBS = ".*/(tile/[a-z0-9_]+|herd/(columns|rows)|options/(pingPong|loopTiling)|transfer|readBack|bufferKey)";

    @TempDir private static Path cache;
    private static FaultBench bench;
    private static Deployment kept;
    private static Map<Phase, Long> times;

    @BeforeAll static void deploy() {
        bench = FaultBench.of(FaultBench.shape("fields", 4, 2, 16, false, false), cache);
        kept = bench.baseline;
        for (Phase phase : Phase.values()) {
            for (LoadedSkill skill : SkillCatalog.load(Optional.empty()).skills()) {
                if (trial(skill, kept, phase) instanceof Trial.Compiled(Assessment.Proposal proposal)) {
                    kept = proposal.plan();
                }
            }
        }
        times = times(kept);
    }

    @AfterAll static void close() {
        bench.close();
    }

    private static Trial trial(LoadedSkill skill, Deployment before, Phase phase) {
        return bench.target.bench(new TreeMap<>(), Duration.ofSeconds(60)).run(skill, before, phase, TrialWatch.NONE);
    }

    private static Map<Phase, Long> times(Deployment plan) {
        Profile profile = bench.target.profile(plan, Prompt.ofIds(new int[] {3, 10, 5}), 2, true);
        return Map.of(Phase.PREFILL, profile.prefillTime().value(), Phase.DECODE, profile.decodeTime().value());
    }

    private record Setting(PlanVariants.Variant variant) implements Skill {

        @Override public String name() {
            return "sets-a-field";
        }

        @Override public Assessment assess(Deployment deployment, SkillContext context) {
            return Assessment.proposal(CanonicalJson.read(variant.json(), Deployment.class), "a field");
        }
    }

    enum Outcome { REFUSED, REVERTED, EQUAL, FASTER, WRONG }

    private record Judged(PlanVariants.Variant variant, Outcome outcome, String why) {}

    private static Judged judge(PlanVariants.Variant variant) {
        Phase phase = variant.path().startsWith("/prefill") ? Phase.PREFILL : Phase.DECODE;
        return switch (trial(LoadedSkill.given("sets-a-field", new Setting(variant)), kept, phase)) {
            case Trial.Compiled(Assessment.Proposal proposal) -> run(variant, proposal.plan(), phase);
            case Trial.ChangedNothing _ -> new Judged(variant, Outcome.EQUAL, "the same plan");
            case Trial other -> new Judged(variant, Outcome.REFUSED, other.getClass().getSimpleName());
        };
    }

    private static Judged run(PlanVariants.Variant variant, Deployment plan, Phase phase) {
        try {
            SelfCheck check = bench.target.selfCheck(kept, plan, false);
            if (!check.passed()) {
                return new Judged(variant, Outcome.REVERTED, check.failure().orElse(""));
            }
            if (bench.verdict(plan, watcher -> watcher) != Verdict.PASS) {
                return new Judged(variant, Outcome.REVERTED, "gate");
            }
            long time = times(plan).get(phase);
            return new Judged(variant, time == times.get(phase) ? Outcome.EQUAL : time > times.get(phase) ? Outcome.REVERTED : Outcome.FASTER, "%d → %d".formatted(times.get(phase), time));
        } catch (NpuflowException fault) {
            return new Judged(variant, Outcome.REVERTED, fault.id());
        } catch (RuntimeException | Error stranger) {
            return new Judged(variant, Outcome.WRONG, stranger + " at " + stranger.getStackTrace()[0]);
        }
    }

    /// One value of each field, and each kind of host operation in the place of each other.
    @Test void no_field_is_kept_for_a_time_that_is_not_true() {
        Map<String, List<PlanVariants.Variant>> byField = new TreeMap<>();
        PlanVariants.of(kept).forEach(variant -> byField.computeIfAbsent(variant.field(), _ -> new ArrayList<>()).add(variant));
        List<PlanVariants.Variant> chosen = new ArrayList<>();
        byField.forEach((field, values) -> chosen.addAll(field.endsWith("/kind") ? values : List.of(values.get(chosen.size() * 31 % values.size()))));
        assertTrue(chosen.size() > 300, () -> chosen.size() + " variants");
        requireTrue(chosen);
    }

    /// Every value of every field of every step: minutes.
    @Tag("slow") @Test void no_value_of_a_field_is_kept_for_a_time_that_is_not_true() {
        requireTrue(PlanVariants.of(kept));
    }

    @Test void the_plan_itself_is_faster_than_the_baseline_and_says_what_is_true() {
        assertEquals(List.of(), bench.target.compile(kept));
        assertTrue(times.get(Phase.DECODE) < times(bench.baseline).get(Phase.DECODE));
    }

    private static void requireTrue(List<PlanVariants.Variant> variants) {
        List<Judged> judged = variants.stream().map(PlanFieldsTest::judge).toList();
        Map<Outcome, Integer> counts = new TreeMap<>();
        judged.forEach(one -> counts.merge(one.outcome(), 1, Integer::sum));
        assertEquals(List.of(), judged.stream().filter(one -> one.outcome() == Outcome.WRONG).toList());
        assertEquals(List.of(), judged.stream().filter(one -> one.outcome() == Outcome.FASTER && !one.variant().path().matches(KNOBS)).toList());
        assertTrue(counts.getOrDefault(Outcome.REFUSED, 0) > variants.size() / 3 && counts.getOrDefault(Outcome.REVERTED, 0) > 0, counts::toString);
    }
}
