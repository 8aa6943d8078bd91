package dev.npuflow.acceptance;

import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;

/// Says that it was asked and never answers: a run waits at a place that a test knows.
public final class AskedSkill implements Skill {

    @Override public String name() {
        return "asked";
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        System.out.println("asked");
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Assessment.notApplicable("it only waits");
    }
}
