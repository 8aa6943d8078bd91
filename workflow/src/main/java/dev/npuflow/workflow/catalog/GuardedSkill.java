package dev.npuflow.workflow.catalog;

import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import java.time.Duration;
import java.util.List;

/// Calls a skill so that nothing it does stops the loop, and takes nothing from it that npuflow could not go on with.
public final class GuardedSkill {

    /// What a command gives one call of a skill.
    public static final Duration USUAL_LIMIT = Duration.ofSeconds(60);

    private final Skill skill;
    private final GuardedCall guard;

    public GuardedSkill(LoadedSkill loaded, Duration limit) {
        this.skill = loaded.skill();
        this.guard = new GuardedCall("skill " + loaded.name(), skill.getClass().getClassLoader(), limit);
    }

    /// What the skill answers, in plain lines, its plan one that can be written and read again.
    public Answer<Assessment> assess(Deployment deployment, SkillContext context) {
        return guard.call("assess", () -> PlainAssessment.of(skill.assess(deployment, context), context.phase()));
    }

    /// What of the process the skill has changed, such as `the default locale`; each change was undone.
    public List<String> processChanges() {
        return guard.changed();
    }

    /// Names of threads that the skill started and that still run.
    public List<String> runningThreads() {
        return guard.running();
    }
}
