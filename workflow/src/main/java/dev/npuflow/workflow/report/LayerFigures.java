package dev.npuflow.workflow.report;

/// How far one layer's output is from the reference's over a prompt's positions (reference document §B.6). It informs; the gate decides.
public record LayerFigures(int layer, double cosineP5, double cosineMin, double cosineMedian, double maxAbs, double maxRel) {}
