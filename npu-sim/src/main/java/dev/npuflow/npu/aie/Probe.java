package dev.npuflow.npu.aie;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.flow.Lattice;
import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.npu.engine.Program;
import dev.npuflow.npu.engine.Recorder;
import dev.npuflow.npu.machine.DeviceDescription;
import java.util.ArrayList;
import java.util.List;

/// Single transfers on an otherwise idle array: DDR → shim → memtile → core, the same in several columns at once.
public final class Probe {

    private static final int[] BYTES = {64, 1024, 4096, 16_384, 65_536, 262_144};
    private static final int[] COLUMNS = {1, 2, 4, 8};
    private static final int REPEATS = 16;

    private Probe() {}

    /// @param latency        of one transfer, from the task's turn to the last byte in the core
    /// @param bytesPerSecond of all columns together when each repeats the transfer through two buffers
    /// @param limit          the least of DDR, shim channels and streams, in bytes a second
    /// @param limitedBy      which of them it is
    public record Measurement(int columns, long bytes, Picoseconds latency, double bytesPerSecond, double limit, String limitedBy) {}

    public static List<Measurement> run(DeviceDescription description) {
        AieHardware device = AieDevice.of(description).hardware();
        List<Measurement> measurements = new ArrayList<>();
        for (int columns : COLUMNS) {
            if (columns <= device.array().columns()) {
                for (long bytes : BYTES) {
                    measurements.add(measure(device, columns, bytes));
                }
            }
        }
        return measurements;
    }

    private static Measurement measure(AieHardware device, int columns, long bytes) {
        double dram = Math.min(device.dram().readRate(), device.dram().totalRate());
        double shim = columns * device.fabric().shimRate();
        double stream = columns * device.fabric().streamRate();
        double limit = Math.min(dram, Math.min(shim, stream));
        String by = limit == dram ? "dram" : limit == shim ? "shim channel" : "stream";
        Picoseconds once = time(device, columns, bytes, 1);
        Picoseconds more = time(device, columns, bytes, 1 + REPEATS);
        return new Measurement(columns, bytes, once, 1e12 * columns * bytes * REPEATS / more.minus(once).value(), limit, by);
    }

    private static Picoseconds time(AieHardware device, int columns, long bytes, int repeats) {
        Lattice lattice = new Lattice(device);
        for (int column = 0; column < columns; column++) {
            Lattice.Buffer l2 = lattice.buffer(Lattice.name("l2", column), 2);
            List<Integer> route = lattice.nextRead();
            int stream = lattice.stream(Lattice.name("memtile mm2s", column));
            lattice.graph().agent(Lattice.name("shim", column), new Program().delay(device.fabric().taskStart(), "task").repeat(repeats, body ->
                    lattice.transfer(body.acquire(l2.free(), 1), route, bytes, bytes, "L3 to L2").release(l2.full(), 1)));
            lattice.graph().agent(Lattice.name("memtile", column), new Program().repeat(repeats, body -> body.acquire(l2.full(), 1)
                    .move(List.of(stream), bytes, bytes, bytes, "L2 to L1").release(l2.free(), 1)));
        }
        return new Picoseconds(lattice.graph().run(Recorder.SILENT).end());
    }
}
