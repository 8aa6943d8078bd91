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

    /// What a test of a skill ended with: the reason is what an assertion says, or what was thrown instead.
    ///
    /// @param code loads the skill and its tests
    public static SkillFault ofTest(Throwable thrown, ClassLoader code) {
        return new SkillTrace("", code).test(thrown);
    }

    static SkillFault of(String reason) {
        return new SkillFault(reason, List.of());
    }
}
