package dev.npuflow.npu.aie.gemm;

import dev.npuflow.npu.aie.array.AieHardware.CoreCycles;
import dev.npuflow.npu.aie.flow.ControlPath;
import dev.npuflow.npu.aie.flow.Extents;
import dev.npuflow.npu.aie.flow.Flow;
import dev.npuflow.npu.aie.flow.Lattice;
import dev.npuflow.npu.aie.flow.Lattice.Buffer;
import dev.npuflow.npu.aie.flow.Lattice.TaskQueue;
import dev.npuflow.npu.engine.Program;
import dev.npuflow.npu.launch.LaunchDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// C(m × n) = A(m × k) B on a herd of columns × rows. A block of C is `tile_m` · columns by `tile_n` · rows; for each, A panels go to their
/// column's memtile and B panels to the memtiles of the first columns, in steps of `tile_k_l2`; from there A goes to all cores of its column and B
/// to all cores of its row. Panels are read again for every block. C leaves at the end of the block.
record GemmFlow(ToDoubleFunction<CoreCycles> macs, int outBytes, boolean roundsEveryCall) implements Flow {

    private static int blocks(LaunchDescription launch, String extent, String tile, int cores) {
        return Math.ceilDiv(Extents.shape(launch, extent), Extents.tile(launch, tile) * cores);
    }

    private static int blocksM(LaunchDescription launch) {
        return blocks(launch, "m", "tile_m", launch.herdColumns());
    }

    private static int blocksN(LaunchDescription launch) {
        return blocks(launch, "n", "tile_n", launch.herdRows());
    }

    private static int group(LaunchDescription launch, int loopTiling) {
        return ControlPath.factor(blocksM(launch), loopTiling) * ControlPath.factor(blocksN(launch), loopTiling);
    }

    @Override public int periods(LaunchDescription launch, int loopTiling) {
        return blocksM(launch) * blocksN(launch) / group(launch, loopTiling);
    }

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, int periods, Lattice lattice) {
        int columns = launch.herdColumns();
        int rows = launch.herdRows();
        int tileM = Extents.tile(launch, "tile_m");
        int tileN = Extents.tile(launch, "tile_n");
        int stepL2 = Extents.tile(launch, "tile_k_l2");
        int stepL1 = Extents.tile(launch, "tile_k_l1");
        int k = Extents.shape(launch, "k");
        int factor = group(launch, loopTiling);
        int blocks = periods * factor;
        long steps = (long) Math.ceilDiv(k, stepL2);
        int inner = Math.ceilDiv(stepL2, stepL1);
        int slots = pingPong ? 2 : 1;
        CoreCycles cycles = lattice.device().core();
        double rounding = roundsEveryCall ? cycles.roundVector() * tileM * tileN / lattice.device().functions().lanes() : 0;
        long compute = lattice.cycles(cycles.gemmCall() + rounding + (double) tileM * tileN * stepL1 / macs.applyAsDouble(cycles));
        List<TaskQueue> tasks = new ArrayList<>();
        List<TaskQueue> outs = new ArrayList<>();
        Buffer[][] a = new Buffer[columns][rows];
        Buffer[][] b = new Buffer[columns][rows];
        for (int c = 0; c < columns; c++) {
            for (int r = 0; r < rows; r++) {
                a[c][r] = lattice.buffer(Lattice.name("l1 a", c, r), slots);
                b[c][r] = lattice.buffer(Lattice.name("l1 b", c, r), slots);
            }
        }
        for (int c = 0; c < columns; c++) {
            tasks.add(panel(lattice, Lattice.name("a", c), blocks, steps, inner, 2L * tileM * stepL2, 2L * stepL2, slots, List.of(a[c]), factor));
        }
        for (int r = 0; r < rows; r++) {
            List<Buffer> receivers = new ArrayList<>();
            for (int c = 0; c < columns; c++) {
                receivers.add(b[c][r]);
            }
            tasks.add(panel(lattice, Lattice.name("b", r), blocks, steps, inner, 2L * tileN * stepL2, 2L * tileN * rows, slots, receivers, factor));
        }
        for (int c = 0; c < columns; c++) {
            int blockDone = lattice.graph().semaphore(Lattice.name("c done", c), 0, rows);
            int blockFree = lattice.graph().semaphore(Lattice.name("c free", c), rows, rows);
            for (int r = 0; r < rows; r++) {
                Buffer left = a[c][r];
                Buffer right = b[c][r];
                lattice.graph().agent(Lattice.name("core", c, r), new Program().repeat(blocks, block -> block.acquire(blockFree, 1)
                        .repeat(steps * inner, step -> step.acquire(left.full(), 1).acquire(right.full(), 1).delay(compute, "mac")
                                .release(left.free(), 1).release(right.free(), 1))
                        .release(blockDone, 1)));
            }
            TaskQueue out = lattice.tasks(Lattice.name("c task", c), factor);
            List<Integer> route = lattice.nextWrite();
            lattice.graph().agent(Lattice.name("shim c", c), new Program().repeat(blocks, block -> lattice.transfer(block.acquire(out.tasks(), 1)
                    .acquire(blockDone, rows), route, (long) outBytes * tileM * tileN * rows, (long) outBytes * tileN * rows, "C to L3")
                    .release(blockFree, rows).release(out.places(), 1).release(out.done(), 1)));
            outs.add(out);
        }
        tasks.addAll(outs);
        ControlPath.lay(lattice, blocks, factor, List.of(), tasks, outs);
    }

    private static TaskQueue panel(Lattice lattice, String name, int blocks, long steps, int inner, long bytes, long run, int slots,
            List<Buffer> receivers,
            int factor) {
        TaskQueue tasks = lattice.tasks("task " + name, factor);
        Buffer l2 = lattice.buffer("l2 " + name, slots);
        List<Integer> route = lattice.nextRead();
        lattice.graph().agent("shim " + name, new Program().repeat(blocks, block -> {
            block.acquire(tasks.tasks(), 1).delay(lattice.device().fabric().taskStart(), "task");
            block.repeat(steps, step ->
                    lattice.transfer(step.acquire(l2.free(), 1), route, bytes, run, "L3 to L2").release(l2.full(), 1));
            block.release(tasks.places(), 1);
        }));
        int stream = lattice.stream("memtile mm2s " + name);
        lattice.graph().agent("memtile " + name, new Program().repeat(blocks * steps, step -> step.acquire(l2.full(), 1).repeat(inner, part -> {
            receivers.forEach(buffer -> part.acquire(buffer.free(), 1));
            part.move(List.of(stream), bytes / inner, bytes, bytes, "L2 to L1");
            receivers.forEach(buffer -> part.release(buffer.full(), 1));
        }).release(l2.free(), 1)));
        return tasks;
    }
}
