package dev.npuflow.npu.aie.array;

import dev.npuflow.npu.device.FieldReader;
import dev.npuflow.npu.engine.Picoseconds;

/// The numbers of an AIE array, as a device file has them. Rates are bytes per second, times picoseconds, compute cycles.
public record AieHardware(ArrayLimits array, DmaLimits dma, Clock clock, Dram dram, Fabric fabric, Control control, CoreCycles core,
        CoreFunctions functions, TileRules tiles) {

    /// @param coreMemoryBytes    L1, of each core
    /// @param memtileMemoryBytes L2, of each column's memtile
    /// @param stackBytes         of L1, kept for the core's stack
    public record ArrayLimits(int columns, int coreRows, int coreMemoryBytes, int memtileMemoryBytes, int stackBytes) {}

    /// @param shimChannels    of each direction, a column
    /// @param memtileChannels of each direction, a column
    /// @param maximumRepeat   largest value of a task's repeat field: runs minus one
    /// @param maximumWrap     largest extent of an inner dimension
    /// @param maximumStride   largest stride, in elements of the pass
    /// @param largestBufferBytes that a buffer descriptor reaches
    public record DmaLimits(int shimChannels, int memtileChannels, int coreChannels, int shimBufferDescriptors, int memtileBufferDescriptors,
            int coreBufferDescriptors, int taskQueueEntries, int maximumRepeat, int maximumWrap, int maximumStride, int granularityBytes, long largestBufferBytes) {}

    public record Clock(double hertz) {

        public long picoseconds(double cycles) {
            return Picoseconds.of(cycles, hertz).value();
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

        private Control slowed(double by) {
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

    public static AieHardware read(FieldReader fields) {
        return new AieHardware(array(fields), dma(fields), new Clock(fields.number("clock.array_mhz", 1, 1e5) * 1e6), dram(fields), fabric(fields),
                control(fields), core(fields), CoreFunctions.read(fields), TileRules.read(fields));
    }

    private static ArrayLimits array(FieldReader f) {
        return new ArrayLimits(f.whole("array.columns", 1, 128), f.whole("array.core_rows", 1, 64),
                f.whole("array.core_memory_bytes", 1024, 1 << 30), f.whole("array.memtile_memory_bytes", 1024, 1 << 30),
                f.whole("array.stack_bytes", 0, 1 << 20));
    }

    private static DmaLimits dma(FieldReader f) {
        return new DmaLimits(f.whole("dma.shim_channels", 1, 64), f.whole("dma.memtile_channels", 1, 64),
                f.whole("dma.core_channels", 1, 64), f.whole("dma.shim_buffer_descriptors", 1, 4096), f.whole("dma.memtile_buffer_descriptors", 1,
                4096),
                f.whole("dma.core_buffer_descriptors", 1, 4096), f.whole("dma.task_queue_entries", 1, 4096), f.whole("dma.maximum_repeat", 0,
                1 << 20),
                f.whole("dma.maximum_wrap", 1, 1 << 20), f.whole("dma.maximum_stride", 1, 1 << 30), f.whole("dma.granularity_bytes", 1, 64), Math.round(f.number("dma.largest_buffer_bytes", 1, 1e15)));
    }

    private static Dram dram(FieldReader f) {
        return new Dram(f.rate("dram.read_gbps"), f.rate("dram.write_gbps"), f.rate("dram.total_gbps"),
                f.number("dram.run_ns", 0, 1e6) * 1e3, f.whole("dram.packet_bytes", 64, 1 << 20));
    }

    private static Fabric fabric(FieldReader f) {
        return new Fabric(f.rate("fabric.shim_channel_gbps"), f.rate("fabric.stream_gbps"), f.nanoseconds("fabric.task_start_ns"));
    }

    private static Control control(FieldReader f) {
        return new Control(f.nanoseconds("control.task_issue_ns"), f.nanoseconds("control.group_sync_ns"),
                f.microseconds("control.reconfigure_us"), f.microseconds("control.reconfigure_core_us")).slowed(f.slowness());
    }

    private static CoreCycles core(FieldReader f) {
        return new CoreCycles(f.cycles("core.gemv_step_cycles"), f.cycles("core.gemv_call_cycles"),
                f.cycles("core.add_vector_cycles"),
                f.cycles("core.silu_vector_cycles"), f.cycles("core.norm_vector_cycles"), f.cycles("core.norm_row_cycles"),
                f.cycles("core.rope_vector_cycles"), f.cycles("core.rope_row_cycles"), f.number("core.gemm_macs_per_cycle", 0.1, 1e5),
                f.number("core.gemm_direct_macs_per_cycle", 0.1, 1e5), f.cycles("core.gemm_call_cycles"),
                f.cycles("core.gemm_round_vector_cycles"), f.cycles("core.softmax_vector_cycles"));
    }
}
