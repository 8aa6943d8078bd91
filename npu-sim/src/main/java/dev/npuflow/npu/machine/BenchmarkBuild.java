package dev.npuflow.npu.machine;

/// How mlir-air's benchmark of a kernel builds it: what a command about one kernel takes where its user says nothing. Models are built otherwise.
///
/// @param herdRows   cores of a column
/// @param pingPong   whether L1 and L2 hold each buffer twice
/// @param loopTiling iterations of the runtime loop between two waits; 1 is no tiling
public record BenchmarkBuild(int herdRows, boolean pingPong, int loopTiling) {

    /// Of a kernel that fits twice and has one core a column.
    public static final BenchmarkBuild PLAIN = new BenchmarkBuild(1, true, 1);
}
