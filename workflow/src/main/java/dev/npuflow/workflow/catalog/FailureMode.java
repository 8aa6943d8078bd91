package dev.npuflow.workflow.catalog;

/// One way in which a skill's change goes wrong, as its SKILL.md tells it: what one sees, what it comes from, what to do.
public record FailureMode(String symptom, String cause, String remedy) {}
