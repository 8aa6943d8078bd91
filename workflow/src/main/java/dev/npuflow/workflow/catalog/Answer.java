package dev.npuflow.workflow.catalog;

import dev.npuflow.skill.Blocker;
import java.util.List;
import java.util.function.Function;

/// What came of a call of a skill. Every text in it is one plain line.
public sealed interface Answer<T> {

    record Value<T>(T value) implements Answer<T> {}

    /// The skill's own refusal.
    record Refusal<T>(String reason, List<Blocker> blockers) implements Answer<T> {}

    /// The skill threw, returned nothing or nonsense, wanted to end the process, or did not return in time.
    record Crash<T>(SkillFault fault) implements Answer<T> {}

    default <R> Answer<R> map(Function<T, R> change) {
        return switch (this) {
            case Value<T>(T value) -> new Value<>(change.apply(value));
            case Refusal<T>(String reason, List<Blocker> blockers) -> new Refusal<>(reason, blockers);
            case Crash<T>(SkillFault fault) -> new Crash<>(fault);
        };
    }
}
