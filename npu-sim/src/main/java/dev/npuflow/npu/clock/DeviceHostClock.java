package dev.npuflow.npu.clock;

import dev.npuflow.npu.device.HostCosts;
import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.npu.machine.DeviceDescription;

/// The host path by the device file's constants.
public final class DeviceHostClock implements HostClock {

    private final HostCosts host;

    public DeviceHostClock(DeviceDescription device) {
        host = device.host();
    }

    @Override public long dispatch() {
        return host.roundTrip() + host.alternation();
    }

    /// A call of the ELF that ran last, as a benchmark's loop makes it.
    public long repeatedDispatch() {
        return host.roundTrip();
    }

    /// From start to wait of an ELF that a benchmark's loop runs again and again.
    public Picoseconds repeated(ElfTiming elf) {
        return new Picoseconds(repeatedDispatch() + elf.picoseconds());
    }

    @Override public long write(long bytes) {
        return host.bufferCall() + Picoseconds.of(bytes, host.writeRate()).value();
    }

    /// A first copy into a buffer object: its pages are not there yet.
    public long coldWrite(long bytes) {
        return host.bufferCall() + Picoseconds.of(bytes, host.coldRate()).value();
    }

    /// What a run pays that starts after the array was idle for that long.
    public long wake(long idlePicoseconds) {
        return idlePicoseconds >= host.idleAfter() ? host.wake() : 0;
    }

    @Override public long read(long bytes) {
        return host.bufferCall() + Picoseconds.of(bytes, host.readRate()).value();
    }
}
