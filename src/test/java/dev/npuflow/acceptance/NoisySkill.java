package dev.npuflow.acceptance;

import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;

/// Prints where JSON goes, leaves a thread that never ends, and ends the process when it is applied.
public final class NoisySkill implements Skill {

    public NoisySkill() {
        System.out.println("I am being made");
        Thread endless = new Thread(() -> {
            while (true) {
                try {
                    Thread.sleep(Long.MAX_VALUE);
                } catch (InterruptedException e) {
                    continue;
                }
            }
        });
        endless.setDaemon(false);
        endless.start();
    }

    @Override public String name() {
        return "noisy";
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        System.out.println("I assess");
        new Thread(() -> {
            throw new IllegalStateException("nobody\n\u001b[31mcatches me");
        }, "helper").start();
        System.exit(0);
        return Assessment.proposal(deployment, "always");
    }
}
