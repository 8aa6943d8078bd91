package dev.npuflow.npu.device;

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

    private HostCosts slowed(double by) {
        return new HostCosts(Math.round(roundTrip * by), Math.round(alternation * by), writeRate / by, coldRate / by, readRate / by,
                Math.round(bufferCall * by), Math.round(callCost * by), byteRate / by, flopRate / by, idleAfter, Math.round(wake * by));
    }

    /// Reads the section `host` of a device file.
    public static HostCosts read(FieldReader f) {
        return new HostCosts(f.microseconds("host.round_trip_us"), f.microseconds("host.alternation_us"), f.rate("host.write_gbps"),
                f.rate("host.cold_write_gbps"), f.rate("host.read_gbps"), f.microseconds("host.buffer_call_us"), f.microseconds("host.numpy_call_us"),
                f.rate("host.numpy_gbps"), f.number("host.gflops", 1e-3, 1e6) * 1e9, f.microseconds("host.idle_after_us"),
                f.microseconds("host.wake_us"))
                .slowed(f.slowness());
    }
}
