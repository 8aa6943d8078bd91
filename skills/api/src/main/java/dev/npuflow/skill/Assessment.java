package dev.npuflow.skill;

/// Whether a skill has something to do, with the one-line reason that goes into the document.
public sealed interface Assessment {

    String reason();

    record Applies(String reason) implements Assessment {}

    record DoesNotApply(String reason) implements Assessment {}

    static Assessment applies(String reason) {
        return new Applies(reason);
    }

    static Assessment doesNotApply(String reason) {
        return new DoesNotApply(reason);
    }
}
