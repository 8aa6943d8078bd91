package dev.npuflow.npu.array.flow;

import dev.npuflow.npu.array.flow.Lattice.Buffer;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription.CoreCycles;
import dev.npuflow.npu.engine.Program;
import java.util.ArrayList;
import java.util.List;

/// C(m × n) = A(m × k) B on a herd of columns × rows. A block of C is `tile_m` · columns by `tile_n` · rows; for each, A panels go to their column's memtile and
/// B panels to the memtiles of the first columns, in steps of `tile_k_l2`; from there A goes to all cores of its column and B to all cores of its row.
/// Panels are read again for every block. C leaves at the end of the block.
final class GemmFlow implements Flow {

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, Lattice lattice) {
        int columns = launch.herdColumns();
        int rows = launch.herdRows();
        int tileM = launch.tile().get("tile_m");
        int tileN = launch.tile().get("tile_n");
        int stepL2 = launch.tile().get("tile_k_l2");
        int stepL1 = launch.tile().get("tile_k_l1");
        int k = launch.shape().get("k");
        long blocks = (long) Math.ceilDiv(launch.shape().get("m"), tileM * columns) * Math.ceilDiv(launch.shape().get("n"), tileN * rows);
        long steps = blocks * Math.ceilDiv(k, stepL2);
        int inner = Math.ceilDiv(stepL2, stepL1);
        int slots = pingPong ? 2 : 1;
        CoreCycles cycles = lattice.device().core();
        long compute = lattice.cycles(cycles.gemmCall() + (double) tileM * tileN * stepL1 / cycles.gemmMacs());
        Buffer[][] a = new Buffer[columns][rows];
        Buffer[][] b = new Buffer[columns][rows];
        for (int c = 0; c < columns; c++) {
            for (int r = 0; r < rows; r++) {
                a[c][r] = lattice.buffer(Lattice.name("l1 a", c, r), slots);
                b[c][r] = lattice.buffer(Lattice.name("l1 b", c, r), slots);
            }
        }
        for (int c = 0; c < columns; c++) {
            panel(lattice, Lattice.name("a", c), steps, inner, 2L * tileM * stepL2, 2L * stepL2, slots, List.of(a[c]));
        }
        for (int r = 0; r < rows; r++) {
            List<Buffer> receivers = new ArrayList<>();
            for (int c = 0; c < columns; c++) {
                receivers.add(b[c][r]);
            }
            panel(lattice, Lattice.name("b", r), steps, inner, 2L * tileN * stepL2, 2L * tileN, slots, receivers);
        }
        for (int c = 0; c < columns; c++) {
            int blockDone = lattice.graph().semaphore(Lattice.name("c done", c), 0, rows);
            int blockFree = lattice.graph().semaphore(Lattice.name("c free", c), rows, rows);
            for (int r = 0; r < rows; r++) {
                Buffer left = a[c][r];
                Buffer right = b[c][r];
                lattice.graph().agent(Lattice.name("core", c, r), new Program().repeat(blocks, block -> block.acquire(blockFree, 1)
                        .repeat(steps / blocks * inner, step -> step.acquire(left.full(), 1).acquire(right.full(), 1).delay(compute, "mac")
                                .release(left.free(), 1).release(right.free(), 1))
                        .release(blockDone, 1)));
            }
            List<Integer> route = lattice.nextWrite();
            lattice.graph().agent(Lattice.name("shim c", c), new Program().repeat(blocks, block -> lattice.transfer(block.acquire(blockDone, rows), route,
                    2L * tileM * tileN * rows, 2L * tileN, "C to L3").release(blockFree, rows)));
        }
    }

    private static void panel(Lattice lattice, String name, long steps, int inner, long bytes, long run, int slots, List<Buffer> receivers) {
        Buffer l2 = lattice.buffer("l2 " + name, slots);
        List<Integer> route = lattice.nextRead();
        lattice.graph().agent("shim " + name, new Program().delay(lattice.device().fabric().taskStart(), "task").repeat(steps, step ->
                lattice.transfer(step.acquire(l2.free(), 1), route, bytes, run, "L3 to L2").release(l2.full(), 1)));
        int stream = lattice.stream("memtile mm2s " + name);
        lattice.graph().agent("memtile " + name, new Program().repeat(steps, step -> step.acquire(l2.full(), 1).repeat(inner, part -> {
            receivers.forEach(buffer -> part.acquire(buffer.free(), 1));
            part.move(List.of(stream), bytes / inner, bytes, bytes, "L2 to L1");
            receivers.forEach(buffer -> part.release(buffer.full(), 1));
        }).release(l2.free(), 1)));
    }
}
