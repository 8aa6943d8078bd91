package dev.npuflow.workflow.reference;

/// What computes: the dot product of this CPU and the threads that share its work, neither of which changes a bit of a result; and what is kept of
/// a result.
record Arithmetic(DotProduct dotProduct, WorkerPool workers, Precision precision) {

    /// The same, with nothing rounded.
    Arithmetic exact() {
        return new Arithmetic(dotProduct, workers, Precision.FP32);
    }
}
