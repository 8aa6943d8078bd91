package dev.npuflow.npu.aie.attention;

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

/// FlashAttention (mlir-air flash_attention/kernel_fusion_based): `hpu` heads times `num_q_tiles` query tiles lie on the columns, the keys are
/// split over the `cascade` rows, and partial results are merged down the cascade. Masked blocks are computed as well (`causal_skip` is off
/// upstream). Each part of the value dimension is a pass of its own over the scores.
final class AttentionFlow implements Flow {

    @Override public int periods(LaunchDescription launch, int loopTiling) {
        return Math.ceilDiv(Extents.shape(launch, "heads"), Extents.tile(launch, "hpu")) * Math.ceilDiv(Extents.shape(launch, "seq_q"),
                Extents.tile(launch, "lqp"))
                * Extents.tile(launch, "dv_chunks");
    }

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, int periods, Lattice lattice) {
        int headDim = Extents.shape(launch, "head_dim");
        int heads = Extents.tile(launch, "hpu");
        int queryTiles = Extents.tile(launch, "num_q_tiles");
        int rows = Extents.tile(launch, "cascade");
        int keys = Extents.tile(launch, "lkp");
        int passes = Extents.tile(launch, "dv_chunks");
        int queries = Extents.tile(launch, "lqp") / queryTiles;
        int trips = periods;
        int blocks = Math.ceilDiv(Extents.shape(launch, "seq_k"), keys * rows);
        int slots = pingPong ? 2 : 1;
        CoreCycles core = lattice.device().core();
        int lanes = lattice.device().functions().lanes();
        double valueDim = (double) headDim / passes;
        long block = lattice.cycles(queries * keys * (headDim + valueDim) / core.gemmMacs() + core.softmaxVector() * queries * keys / lanes);
        long merge = lattice.cycles(core.softmaxVector() * queries * valueDim / lanes);
        long scoreBytes = 2L * keys * headDim;
        long valueBytes = Math.round(2 * keys * valueDim);
        List<TaskQueue> tasks = new ArrayList<>();
        List<TaskQueue> outs = new ArrayList<>();
        for (int head = 0; head < heads; head++) {
            List<List<Buffer>> receivers = new ArrayList<>();
            for (int row = 0; row < rows; row++) {
                receivers.add(new ArrayList<>());
            }
            for (int tile = 0; tile < queryTiles; tile++) {
                int column = head * queryTiles + tile;
                TaskQueue out = lattice.tasks(Lattice.name("out task", column), 1);
                Buffer result = lattice.buffer(Lattice.name("out", column), 1);
                int[] merged = new int[rows];
                for (int row = 0; row < rows; row++) {
                    merged[row] = lattice.graph().semaphore(Lattice.name("cascade", column, row), 0, 1);
                }
                for (int row = 0; row < rows; row++) {
                    Buffer in = lattice.buffer(Lattice.name("l1 kv", column, row), slots);
                    receivers.get(row).add(in);
                    core(lattice, Lattice.name("core", column, row), trips, blocks, block, merge, in, row, merged, result);
                }
                drain(lattice, column, trips, Math.round(2 * queries * valueDim), out, result);
                tasks.add(out);
                outs.add(out);
            }
            for (int row = 0; row < rows; row++) {
                TaskQueue in = lattice.tasks(Lattice.name("kv task", head, row), 1);
                feed(lattice, Lattice.name("shim kv", head, row), trips, blocks, scoreBytes + valueBytes, 2L * headDim, in, receivers.get(row));
                tasks.add(in);
            }
        }
        ControlPath.lay(lattice, trips, 1, List.of(), tasks, outs);
    }

    /// Computes its share of the keys, then merges with the row before it; the last row hands out the result.
    private static void core(Lattice lattice, String name, int trips, int blocks, long block, long merge, Buffer in, int row, int[] merged,
            Buffer result) {
        lattice.graph().agent(name, new Program().repeat(trips, trip -> {
            trip.repeat(blocks, step -> step.acquire(in.full(), 1).delay(block, "scores and values").release(in.free(), 1));
            if (row > 0) {
                trip.acquire(merged[row - 1], 1).delay(merge, "merge");
            }
            if (row == merged.length - 1) {
                trip.acquire(result.free(), 1).release(result.full(), 1);
            } else {
                trip.release(merged[row], 1);
            }
        }));
    }

    private static void feed(Lattice lattice, String name, int trips, int blocks, long bytes, long run, TaskQueue tasks, List<Buffer> receivers) {
        List<Integer> route = lattice.nextRead();
        lattice.graph().agent(name, new Program().repeat(trips, trip -> {
            trip.acquire(tasks.tasks(), 1).delay(lattice.device().fabric().taskStart(), "task");
            trip.repeat(blocks, step -> {
                receivers.forEach(buffer -> step.acquire(buffer.free(), 1));
                lattice.transfer(step, route, bytes, run, "K and V to L1");
                receivers.forEach(buffer -> step.release(buffer.full(), 1));
            });
            trip.release(tasks.places(), 1);
        }));
    }

    private static void drain(Lattice lattice, int column, int trips, long bytes, TaskQueue tasks, Buffer result) {
        List<Integer> route = lattice.nextWrite();
        lattice.graph().agent(Lattice.name("shim out", column), new Program().repeat(trips, trip -> {
            trip.acquire(tasks.tasks(), 1).acquire(result.full(), 1);
            lattice.transfer(trip, route, bytes, bytes, "L1 to L3").release(result.free(), 1).release(tasks.places(), 1).release(tasks.done(), 1);
        }));
    }
}
