package dev.npuflow.workflow.catalog;

import dev.npuflow.fault.OneLine;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// How a call of a skill went wrong.
///
/// @param reason one line, such as `apply threw IllegalStateException: no layer (MySkill.java:12)`
/// @param trace  what was thrown and the skill's own frames, a line each; empty where nothing was thrown and nothing hangs
public record SkillFault(String reason, List<String> trace) {

    private static final int LONGEST_LINE = 300;
    private static final int MOST_FRAMES = 12;

    public SkillFault {
        trace = List.copyOf(trace);
    }

    /// What a test of a skill ended with: the reason is what an assertion says, or what was thrown instead.
    ///
    /// @param code loads the skill and its tests
    public static SkillFault ofTest(Throwable thrown, ClassLoader code) {
        return new SkillTrace("", code).test(thrown);
    }

    /// What npuflow itself threw while it looked at a skill's plan: the plan is nonsense in a way that nothing before has refused.
    ///
    /// @param stage such as `compiling`
    public static SkillFault ofPlan(String stage, Throwable thrown) {
        String what = OneLine.of(thrown.getMessage() == null ? thrown.getClass().getSimpleName() : "%s: %s".formatted(thrown.getClass().getSimpleName(), thrown.getMessage()),
                LONGEST_LINE);
        List<String> frames = Arrays.stream(thrown.getStackTrace()).limit(MOST_FRAMES).map(frame -> OneLine.of("at " + frame, LONGEST_LINE)).toList();
        return new SkillFault("%s its plan threw %s".formatted(stage, what), Stream.concat(Stream.of(what), frames.stream()).toList());
    }

    static SkillFault of(String reason) {
        return new SkillFault(reason, List.of());
    }
}
