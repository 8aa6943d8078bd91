package dev.npuflow.skill;

/// One way in which a skill's change goes wrong: what one sees, what it comes from, what to do.
public record FailureMode(String symptom, String cause, String remedy) {}
