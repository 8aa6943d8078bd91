package dev.npuflow.npu.aie.limit;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.LaunchDescription;

/// A launch where it is to be placed: in an ELF, on a device.
public record LaunchSite(LaunchDescription launch, ElfDescription elf, AieHardware device) {

    public long shape(String extent) {
        return launch.shape().get(extent);
    }

    public long shape(String extent, long absent) {
        Integer value = launch.shape().get(extent);
        return value == null ? absent : value;
    }

    public long tile(String size) {
        return launch.tile().get(size);
    }

    public long herdColumns() {
        return launch.herdColumns();
    }

    public long herdRows() {
        return launch.herdRows();
    }

    public long cores() {
        return herdColumns() * herdRows();
    }

    /// Copies of each L1 buffer: the ELF's ping-pong flag doubles them.
    public long copies() {
        return elf.pingPong() ? 2 : 1;
    }

    /// What of a core's memory buffers may fill.
    public long coreMemory() {
        return device.array().coreMemoryBytes() - (long) device.array().stackBytes();
    }

    /// The tiling that the tool chain really applies: the largest divisor of the trip count up to the one asked for.
    /// Source: `findLargestFactor` in mlir-air's dependency schedule optimization.
    public long tilingOf(long trips) {
        for (long factor = Math.min(elf.loopTiling(), trips); factor > 1; factor--) {
            if (trips % factor == 0) {
                return factor;
            }
        }
        return 1;
    }
}
