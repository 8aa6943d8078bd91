package dev.npuflow.workflow.report;

/// How far one layer's output is from the reference's over a prompt's positions (docs/upstream.md, "Diagnosis"). It informs; the gate decides.
public record LayerFigures(int layer, double cosineP5, double cosineMin, double cosineMedian, double maxAbs, double maxRel) {}
