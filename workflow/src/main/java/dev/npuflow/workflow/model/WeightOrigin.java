package dev.npuflow.workflow.model;

/// Where weights come from.
public enum WeightOrigin { FILE, SYNTHETIC, NONE }
