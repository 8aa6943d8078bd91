package dev.npuflow.npu.device;

import java.util.Optional;

/// A device, as its file describes it. Every constant of the hardware comes from here. Rates are bytes per second, times picoseconds, compute cycles.
public record DeviceDescription(String name, ArrayLimits array, DmaLimits dma, Clock clock, Dram dram, Fabric fabric, Control control,
        CoreCycles core,
        HostCosts host, Optional<Accuracy> accuracy) {

    /// What to say beside a figure: how far this device was validated, or `uncalibrated`.
    public String trust() {
        return accuracy.map(Accuracy::toString).orElse("uncalibrated");
    }

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

    public record Clock(double hertz) {

        public long picoseconds(double cycles) {
            return Math.round(cycles * 1e12 / hertz);
        }
    }

    /// @param perRun      occupancy that each contiguous run of bytes adds (row activation, burst split)
    /// @param packetBytes grain at which the shim channels take turns
    public record Dram(double readRate, double writeRate, double totalRate, double perRun, int packetBytes) {}

    /// @param shimRate   of one shim DMA channel
    /// @param streamRate of one stream between memtile and core, or shim and core
    /// @param taskStart  from a task's turn in the queue to its first byte
    public record Fabric(double shimRate, double streamRate, long taskStart) {}

    /// @param taskIssue          the control processor writes a BD and pushes its task
    /// @param groupSync          wait for a sync group's last token until the next group's first write
    /// @param reconfigureBase    a launch that is not configured yet: fixed part
    /// @param reconfigurePerCore of each core that the launch uses
    public record Control(long taskIssue, long groupSync, long reconfigureBase, long reconfigurePerCore) {

        Control slowed(double by) {
            return new Control(Math.round(taskIssue * by), Math.round(groupSync * by), Math.round(reconfigureBase * by),
                    Math.round(reconfigurePerCore * by));
        }
    }

    /// Cycles of the cores' loops.
    ///
    /// @param gemvStep  64 multiply-adds of bf16 with fp32 accumulate
    /// @param gemvCall  one call of the GEMV core function
    /// @param addVector 16 elements of an addition
    /// @param siluVector 16 elements of SiLU times up
    /// @param normVector 16 elements of both passes of RMSNorm
    /// @param normRow    one row of RMSNorm
    /// @param ropeVector 16 elements of RoPE
    /// @param ropeRow    one row of RoPE
    /// @param gemmMacs   multiply-adds a cycle of the GEMM core function
    /// @param directMacs of the low-precision GEMM core function
    /// @param gemmCall   one call of either
    /// @param roundVector   16 elements of C that the low-precision GEMM keeps in bf16 between calls
    /// @param softmaxVector 16 scores of FlashAttention's online softmax
    public record CoreCycles(double gemvStep, double gemvCall, double addVector, double siluVector, double normVector, double normRow,
            double ropeVector,
            double ropeRow, double gemmMacs, double directMacs, double gemmCall, double roundVector, double softmaxVector) {}

    /// The host path.
    ///
    /// @param roundTrip   one XRT call of an ELF that ran last, without the array's own time
    /// @param alternation added where another ELF ran last, as in a decode loop
    /// @param writeRate   copy into a buffer object and sync
    /// @param coldRate    a first copy, whose pages are not there yet
    /// @param readRate    sync of a buffer object from the device; the view is free
    /// @param bufferCall  fixed part of a write or a read
    /// @param callCost    one numpy call
    /// @param byteRate    bytes a second that a numpy call streams
    /// @param flopRate    fp32 operations a second of a numpy matrix product
    /// @param idleAfter   the array sleeps when it had no work for that long
    /// @param wake        added to the first run after a sleep
    public record HostCosts(long roundTrip, long alternation, double writeRate, double coldRate, double readRate, long bufferCall, long callCost,
            double byteRate,
            double flopRate, long idleAfter, long wake) {

        HostCosts slowed(double by) {
            return new HostCosts(Math.round(roundTrip * by), Math.round(alternation * by), writeRate / by, coldRate / by, readRate / by,
                    Math.round(bufferCall * by), Math.round(callCost * by), byteRate / by, flopRate / by, idleAfter, Math.round(wake * by));
        }
    }
}
