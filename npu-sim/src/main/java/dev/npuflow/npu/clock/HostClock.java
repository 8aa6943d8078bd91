package dev.npuflow.npu.clock;

/// What the host path around a run costs, in picoseconds.
public interface HostClock {

    /// One XRT call besides the array's own time: driver, command queue, wait.
    long dispatch();

    /// Copy into a buffer object's host side and sync to the device.
    long write(long bytes);

    /// Sync from the device and hand out a view.
    long read(long bytes);
}
