package dev.npuflow.npu.runtime;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.HostClock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A buffer object: two memories, the host's and the device's, that agree only where they were synced. A fresh host side is
/// zeros, a fresh device side garbage. Times are those of whole buffers, whatever part of them is really moved.
///
/// Memory is taken when it is first written, in blocks, so rows of padding that nobody computes cost none.
public final class BufferObject {

    private final String name;
    private final long bytes;
    private final HostClock clock;
    private final HostSide host;
    private final DeviceSide device;

    BufferObject(String name, long bytes, int number, Arena arena, HostClock clock) {
        this.name = name;
        this.bytes = bytes;
        this.clock = clock;
        host = new HostSide(arena, bytes);
        device = new DeviceSide(arena, bytes, number);
    }

    public String name() {
        return name;
    }

    public long bytes() {
        return bytes;
    }

    /// Copies all of `source` to the host side, from byte 0 on; the rest stays as it is. The device does not see it before
    /// [#syncToDevice()], whose time includes that of the copy.
    ///
    /// @throws NpuflowException NPF-401 if `source` is larger than the buffer
    public void write(MemorySegment source) {
        if (source.byteSize() > bytes) {
            throw tooLarge(source.byteSize());
        }
        host.write(source, source.byteSize());
    }

    /// Makes `mapped`, which never changes, the host side, without a copy. It is never written: who writes to either side later
    /// writes to a copy. Time is charged as for [#write].
    ///
    /// @throws NpuflowException NPF-401 if `mapped` is not exactly as large as the buffer
    public void writeImmutable(MemorySegment mapped) {
        if (mapped.byteSize() != bytes) {
            throw tooLarge(mapped.byteSize());
        }
        host.alias(mapped);
    }

    /// Makes the device side equal to the host side, whatever the device had written.
    ///
    /// @return picoseconds of a copy into the host side and of this sync
    public long syncToDevice() {
        device.receive(host);
        return clock.write(bytes);
    }

    /// Makes the host side equal to the device side, whatever the host had written.
    ///
    /// @return picoseconds
    public long syncFromDevice() {
        return syncFromDevice(bytes);
    }

    /// As [#syncFromDevice()] for the leading `size` bytes, for callers that look at no others: time is that of the whole
    /// buffer, the rest of the host side keeps its bytes.
    ///
    /// @throws NpuflowException NPF-401 if `size` is larger than the buffer
    public long syncFromDevice(long size) {
        if (size < 0 || size > bytes) {
            throw tooLarge(size);
        }
        device.send(host, size);
        return clock.read(bytes);
    }

    /// A read-only view of the host side as it is now. Not valid after the next [#writeImmutable] or sync from the device.
    public MemorySegment host() {
        return host.memory().asReadOnly();
    }

    DeviceSide device() {
        return device;
    }

    private NpuflowException tooLarge(long size) {
        return NpuflowException.environment("NPF-401", "%d bytes for buffer object %s".formatted(size, name), "its %d bytes".formatted(bytes),
                "a buffer of the size of its argument");
    }
}
