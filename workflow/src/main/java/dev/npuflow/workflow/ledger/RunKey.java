package dev.npuflow.workflow.ledger;

/// What a run is about. Two runs of one key continue and replace each other; runs of different keys never meet.
///
/// @param model  what tells this model from every other: name or path, and fingerprint
/// @param device hash of the device description
public record RunKey(String model, GatedPhase phase, String device) {}
