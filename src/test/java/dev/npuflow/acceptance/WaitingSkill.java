package dev.npuflow.acceptance;

import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;

/// Says that it is being loaded and never is: a command waits at a place that a test knows.
public final class WaitingSkill implements Skill {

    public WaitingSkill() {
        System.out.println("loading");
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override public String name() {
        return "waiting";
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        return Assessment.notApplicable("it only waits");
    }
}
