package dev.npuflow.npu.aie.gemv;

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

/// y(m) = A(m × k) x on the herd's columns. A goes DDR → L2 in panels of `tile_m` rows a column, and L2 → L1 in the chunks that one core call
/// takes; x goes DDR → L1 to all columns at once, and again for every core call (mlir-air matrix_vector_multiplication/bf16/matvec.py).
///
///     shim c   |A panel 0      |A panel 1      |            single-buffered: the next panel waits for L2 to empty
///     memtile c                |rows|rows|     |rows|rows|
///     core c                        |call|call|     |call|call|
///
/// @param form which of the GEMV kernels
record GemvFlow(Form form) implements Flow {

    enum Form {
        /// One core a column, `m_input` whole rows a call.
        PLAIN,
        /// One core a column, `tile_m` rows by 512 of k a call, a second core adds the residual (matvec_2tile_add).
        ADD,
        /// k split over the herd's rows, `m_input` rows a call; the normalized vector stays in L1 (matvec_swiglu_rms).
        CASCADE
    }

    private static final int UNTILED = 8;

    private static int trips(LaunchDescription launch) {
        return Math.ceilDiv(Extents.shape(launch, "m"), Extents.tile(launch, "tile_m") * launch.herdColumns());
    }

    /// Iterations of a sync group; without tiling a period is a share of the one group.
    private static int perPeriod(LaunchDescription launch, int loopTiling) {
        return ControlPath.factor(trips(launch), loopTiling <= 1 ? UNTILED : loopTiling);
    }

    @Override public int periods(LaunchDescription launch, int loopTiling) {
        return trips(launch) / perPeriod(launch, loopTiling);
    }

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, int periods, Lattice lattice) {
        int k = Extents.shape(launch, "k");
        int columns = launch.herdColumns();
        int tileRows = Extents.tile(launch, "tile_m");
        int lanes = form == Form.CASCADE ? launch.herdRows() : 1;
        int callRows = form == Form.ADD ? tileRows : Extents.tile(launch, "m_input");
        int callK = form == Form.ADD ? Math.min(k, lattice.device().functions().gemvAddChunk()) : k / lanes;
        int trips = periods * perPeriod(launch, loopTiling);
        int factor = loopTiling <= 1 ? trips : perPeriod(launch, loopTiling);
        int calls = Math.ceilDiv(tileRows, callRows) * Math.ceilDiv(k, callK * lanes);
        int slots = pingPong ? 2 : 1;
        int parts = form == Form.PLAIN ? 1 : calls;
        CoreCycles core = lattice.device().core();
        long compute = lattice.cycles(core.gemvCall() + core.gemvStep() * callRows * Math.ceilDiv(callK, lattice.device().functions().gemvLanes()));
        List<TaskQueue> each = new ArrayList<>();
        List<TaskQueue> outTasks = new ArrayList<>();
        List<Buffer> vectors = new ArrayList<>();
        for (int c = 0; c < columns; c++) {
            TaskQueue tasks = lattice.tasks(Lattice.name("matrix task", c), factor);
            TaskQueue outTask = lattice.tasks(Lattice.name("out task", c), factor);
            Buffer l2 = lattice.buffer(Lattice.name("l2 matrix", c), slots * parts * lanes);
            Buffer out = lattice.buffer(Lattice.name("l1 out", c), slots);
            fill(lattice, c, trips, parts, 2L * tileRows * k / parts, lanes, tasks, l2);
            for (int lane = 0; lane < lanes; lane++) {
                Buffer l1 = lattice.buffer(Lattice.name("l1 matrix", c, lane), slots);
                Buffer vector = lattice.buffer(Lattice.name("l1 vector", c, lane), slots);
                int stream = lattice.stream(Lattice.name("memtile mm2s", c, lane));
                long chunk = 2L * callRows * callK;
                lattice.graph().agent(Lattice.name("memtile", c, lane), new Program().repeat((long) trips * parts, part -> part.acquire(l2.full(), 1)
                        .repeat(calls / parts, call -> call.acquire(l1.free(), 1).move(List.of(stream), chunk, chunk, chunk, "L2 to L1")
                                .release(l1.full(), 1))
                        .release(l2.free(), 1)));
                lattice.graph().agent(Lattice.name("core", c, lane), core(trips, calls, compute, l1, vector, out, lane == 0));
                if (form != Form.CASCADE) {
                    vectors.add(vector);
                }
            }
            drain(lattice, c, trips, 2L * tileRows, outTask, out);
            each.add(tasks);
            outTasks.add(outTask);
        }
        List<TaskQueue> once = new ArrayList<>();
        if (form != Form.CASCADE) {
            TaskQueue vectorTask = lattice.tasks("vector task", 1);
            broadcast(lattice, trips / factor, factor * calls, 2L * callK, vectorTask, vectors);
            once.add(vectorTask);
        }
        each.addAll(outTasks);
        ControlPath.lay(lattice, trips, factor, once, each, outTasks);
    }

    private Program core(int trips, int calls, long compute, Buffer l1, Buffer vector, Buffer out, boolean hasResult) {
        return new Program().repeat(trips, trip -> {
            if (hasResult) {
                trip.acquire(out.free(), 1);
            }
            trip.repeat(calls, call -> {
                call.acquire(l1.full(), 1);
                if (form == Form.CASCADE) {
                    call.delay(compute, "mac").release(l1.free(), 1);
                } else {
                    call.acquire(vector.full(), 1).delay(compute, "mac").release(l1.free(), 1).release(vector.free(), 1);
                }
            });
            if (hasResult) {
                trip.release(out.full(), 1);
            }
        });
    }

    /// A plain GEMV hands a panel over whole, the others part by part.
    private static void fill(Lattice lattice, int column, int trips, int parts, long bytes, int lanes, TaskQueue tasks, Buffer l2) {
        List<Integer> route = lattice.nextRead();
        lattice.graph().agent(Lattice.name("shim matrix", column), new Program().repeat(trips, trip -> {
            trip.acquire(tasks.tasks(), 1).acquire(l2.free(), lanes).delay(lattice.device().fabric().taskStart(), "task");
            lattice.transfer(trip, route, bytes, bytes, "L3 to L2").release(l2.full(), lanes);
            trip.repeat(parts - 1, part -> lattice.transfer(part.acquire(l2.free(), lanes), route, bytes, bytes, "L3 to L2").release(l2.full(),
                    lanes));
            trip.release(tasks.places(), 1);
        }));
    }

    private static void drain(Lattice lattice, int column, int trips, long bytes, TaskQueue tasks, Buffer out) {
        List<Integer> route = lattice.nextWrite();
        lattice.graph().agent(Lattice.name("shim out", column), new Program().repeat(trips, trip -> {
            trip.acquire(tasks.tasks(), 1).acquire(out.full(), 1);
            lattice.transfer(trip, route, bytes, bytes, "L1 to L3").release(out.free(), 1).release(tasks.places(), 1).release(tasks.done(), 1);
        }));
    }

    private static void broadcast(Lattice lattice, int groups, int sends, long bytes, TaskQueue tasks, List<Buffer> vectors) {
        List<Integer> route = lattice.nextRead();
        lattice.graph().agent("shim vector", new Program().repeat(groups, group -> {
            group.acquire(tasks.tasks(), 1).delay(lattice.device().fabric().taskStart(), "task");
            group.repeat(sends, send -> {
                vectors.forEach(vector -> send.acquire(vector.free(), 1));
                lattice.transfer(send, route, bytes, bytes, "vector to all columns");
                vectors.forEach(vector -> send.release(vector.full(), 1));
            });
            group.release(tasks.places(), 1);
        }));
    }
}
