package dev.npuflow.workflow.reference;

/// What computes: the dot product of this CPU and the threads that share its work. Neither changes a bit of a result.
record Arithmetic(DotProduct dotProduct, WorkerPool workers) {}
