package dev.npuflow.plan;

/// The two halves of a query: the prompt at once, then one token at a time.
public enum Phase { PREFILL, DECODE }
