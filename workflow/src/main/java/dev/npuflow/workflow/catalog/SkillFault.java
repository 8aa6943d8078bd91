package dev.npuflow.workflow.catalog;

import java.util.List;

/// How a call of a skill went wrong.
///
/// @param reason one line, such as `apply threw IllegalStateException: no layer (MySkill.java:12)`
/// @param trace  what was thrown and the skill's own frames, a line each; empty where nothing was thrown and nothing hangs
public record SkillFault(String reason, List<String> trace) {

    public SkillFault {
        trace = List.copyOf(trace);
    }

    static SkillFault of(String reason) {
        return new SkillFault(reason, List.of());
    }
}
