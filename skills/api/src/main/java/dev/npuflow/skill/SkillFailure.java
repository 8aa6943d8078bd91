package dev.npuflow.skill;

import java.util.List;

/// A skill's own refusal to change a plan.
public final class SkillFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<Blocker> blockers;

    public SkillFailure(String message, List<Blocker> blockers) {
        super(message);
        this.blockers = List.copyOf(blockers);
    }

    public List<Blocker> blockers() {
        return blockers;
    }
}
