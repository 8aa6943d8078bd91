package dev.npuflow.npu.launch;

/// The name of a kernel, such as `gemv`. What a kernel computes and where a machine places it meet in this name alone.
public record KernelId(String value) implements Comparable<KernelId> {

    @Override public int compareTo(KernelId other) {
        return value.compareTo(other.value);
    }

    /// The name as plans and documents write it.
    @Override public String toString() {
        return value;
    }
}
