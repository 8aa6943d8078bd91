package dev.npuflow.npu.device;

/// A device, as its file describes it. Every constant of the hardware comes from here.
public record DeviceDescription(String name, ArrayLimits array, DmaLimits dma) {

    /// @param coreMemoryBytes    L1, of each core
    /// @param memtileMemoryBytes L2, of each column's memtile
    /// @param stackBytes         of L1, kept for the core's stack
    public record ArrayLimits(int columns, int coreRows, int coreMemoryBytes, int memtileMemoryBytes, int stackBytes) {}

    /// @param shimChannels    of each direction, a column
    /// @param memtileChannels of each direction, a column
    /// @param maximumRepeat   largest value of a task's repeat field: runs minus one
    /// @param maximumWrap     largest extent of an inner dimension
    /// @param maximumStride   largest stride, in elements of the pass
    public record DmaLimits(int shimChannels, int memtileChannels, int coreChannels, int shimBufferDescriptors, int memtileBufferDescriptors,
            int coreBufferDescriptors, int taskQueueEntries, int maximumRepeat, int maximumWrap, int maximumStride, int granularityBytes) {}
}
