package dev.npuflow.workflow.phase;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.decision.GainRule;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.ledger.AttemptEvent;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Plans;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunKey;
import dev.npuflow.workflow.lens.Hypothesis;
import dev.npuflow.workflow.lens.Localization;
import dev.npuflow.workflow.model.Prompt;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Runs the loop on a [ScriptedTarget] with a real ledger, and keeps what it told meanwhile.
final class LoopBench implements AutoCloseable {

    /// The one prompt of all runs.
    static final Prompt PROMPT = Prompt.ofIds(new int[] {1});

    final Ledger ledger;
    RunId run;
    final List<String> told = new ArrayList<>();
    private final List<Deployment> localized = new ArrayList<>();
    private final Map<String, Localization.Fault> operators = new TreeMap<>();
    GainRule gain = GainRule.USUAL;
    boolean selfCheck = true;
    boolean dryRun;
    PhaseDescription description = PhaseDescription.DECODE;

    LoopBench(Path workspace) {
        ledger = Ledger.open(workspace);
        run = begun();
    }

    private RunId begun() {
        return ledger.beginRun(new RunKey("toy", GatedPhase.DECODE, "d0"), new TreeMap<>());
    }

    /// The same ledger, and a run of its own.
    LoopBench again() {
        run = begun();
        return this;
    }

    /// What a skill of a test does.
    interface Change {
        Deployment of(Deployment before, SkillContext context);
    }

    private record Changing(String name, Change change) implements Skill {

        @Override public Assessment assess(Deployment deployment, SkillContext context) {
            return Assessment.proposal(change.of(deployment, context), "always");
        }
    }

    /// A skill that answers with the plan that has this decode half.
    static LoadedSkill making(String decode) {
        return skill(decode, (before, _) -> before.withPhase(Phase.DECODE, Plans.plan(decode).phase(Phase.DECODE)));
    }

    static LoadedSkill skill(String name, Change change) {
        return loaded(new Changing(name, change));
    }

    static LoadedSkill loaded(Skill skill) {
        return LoadedSkill.given(skill.name(), skill);
    }

    PhaseJournal journal() {
        return new PhaseJournal(ledger, run, "d0", telling(), new PhaseJournal.GateReports() {
            @Override public String write(String plan, GateResult gate) {
                return "report.json";
            }

            @Override public Optional<Localization> localize(Deployment wrong) {
                localized.add(wrong);
                return Optional.of(new Localization(wrong.hash(), 1, 1, Optional.empty(), List.of()));
            }

            @Override public Optional<Localization> operators(Deployment passed) {
                return Optional.of(new Localization(passed.hash(), 1, 1, Optional.ofNullable(operators.get(passed.hash())), List.of()));
            }
        });
    }

    PhaseResult run(ScriptedTarget target, LoadedSkill... skills) {
        return new PhaseLoop(target, description, options(), PROMPT, journal()).run(ScriptedTarget.plan("start"), List.of(skills));
    }

    PhaseOptions options() {
        return new PhaseOptions(List.of(), new TreeMap<>(), selfCheck, dryRun, 1, 1, Duration.ofSeconds(60), gain);
    }

    /// This operator of a plan is beyond its noise.
    LoopBench beyondNoise(String decode, String operator) {
        operators.put(ScriptedTarget.plan(decode).hash(), new Localization.Fault(0, Phase.DECODE, 1, 4, 0, operator, "call/launch", 0.5, 0.01, Optional.empty(),
                Hypothesis.ARITHMETIC, "scripted"));
        return this;
    }

    /// A skill whose plan has this decode half and may differ in its last bits.
    static LoadedSkill changingBits(String decode) {
        Skill skill = new Skill() {
            @Override public String name() {
                return decode;
            }

            @Override public Assessment assess(Deployment deployment, SkillContext context) {
                return Assessment.proposal(deployment.withPhase(Phase.DECODE, Plans.plan(decode).phase(Phase.DECODE)), "always").changingBits(true);
            }
        };
        return loaded(skill);
    }

    /// The run of skills that each make the plan of their name.
    PhaseResult run(ScriptedTarget target, String... skills) {
        return run(target, Stream.of(skills).map(LoopBench::making).toArray(LoadedSkill[]::new));
    }

    /// The one skill of a run.
    static SkillRecord only(PhaseResult result) {
        return result.skills().getFirst();
    }

    /// Plans that the lens was asked about.
    List<Deployment> localized() {
        return List.copyOf(localized);
    }

    /// An attempt's history, one `STATE code` a step.
    List<String> history(int ordinal) {
        return events(ordinal).map(event -> event.state() + " " + event.reasonCode()).toList();
    }

    /// The details that an attempt's history keeps under a reason code, as what they are.
    <T> T details(int ordinal, String code, Class<T> type) {
        return CanonicalJson.read(events(ordinal).filter(event -> event.reasonCode().equals(code)).findFirst().orElseThrow().details(), type);
    }

    private Stream<AttemptEvent> events(int ordinal) {
        return ledger.attempts(run).get(ordinal).events().stream();
    }

    @Override public void close() {
        ledger.close();
    }

    private PhaseProgress telling() {
        return new PhaseProgress() {
            private String step = "";

            @Override public void step(int number, int of, String name) {
                step = name;
                told.add("%d of %d, %s".formatted(number, of, name));
            }

            @Override public void stage(String what) {
                told.add(step + ": " + what);
            }
        };
    }
}
