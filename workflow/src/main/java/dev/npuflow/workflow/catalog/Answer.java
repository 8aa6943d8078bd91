package dev.npuflow.workflow.catalog;

/// What came of a call of a skill. Every text in it is one plain line.
public sealed interface Answer<T> {

    record Value<T>(T value) implements Answer<T> {}

    /// The skill threw, returned nothing or nonsense, wanted to end the process, or did not return in time.
    record Crash<T>(SkillFault fault) implements Answer<T> {}
}
