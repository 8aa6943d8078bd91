package dev.npuflow.npu.array.flow;

import dev.npuflow.npu.array.flow.Lattice.Buffer;
import dev.npuflow.npu.array.flow.Lattice.TaskQueue;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.engine.Program;
import java.util.ArrayList;
import java.util.List;

/// y(m) = A(m × k) x, one core a column. A goes DDR → L2 → L1 in panels of `tile_m` rows, `m_input` rows a core call; x goes DDR → L1 to all columns at once
/// and is sent again for every core call (mlir-air matrix_vector_multiplication/bf16/matvec.py).
///
///     shim c   |A panel 0      |A panel 1      |            single-buffered: the next panel waits for L2 to empty
///     memtile c                |rows|rows|     |rows|rows|
///     core c                        |call|call|     |call|call|
final class GemvFlow implements Flow {

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, Lattice lattice) {
        int k = launch.shape().get("k");
        int columns = launch.herdColumns();
        int tileRows = launch.tile().get("tile_m");
        int callRows = launch.tile().get("m_input");
        int trips = launch.shape().get("m") / (tileRows * columns);
        int factor = ControlPath.factor(trips, loopTiling);
        int slots = pingPong ? 2 : 1;
        long panel = 2L * tileRows * k;
        long chunk = 2L * callRows * k;
        int calls = tileRows / callRows;
        long compute = lattice.cycles(lattice.device().core().gemvCall() + lattice.device().core().gemvStep() * callRows * Math.ceilDiv(k, 64));
        List<TaskQueue> matrixTasks = new ArrayList<>();
        List<TaskQueue> outTasks = new ArrayList<>();
        List<Buffer> vectors = new ArrayList<>();
        for (int c = 0; c < columns; c++) {
            TaskQueue tasks = lattice.tasks(Lattice.name("matrix task", c), factor);
            Buffer l2 = lattice.buffer(Lattice.name("l2 matrix", c), slots);
            Buffer l1 = lattice.buffer(Lattice.name("l1 matrix", c), slots);
            Buffer vector = lattice.buffer(Lattice.name("l1 vector", c), slots);
            Buffer out = lattice.buffer(Lattice.name("l1 out", c), slots);
            TaskQueue outTask = lattice.tasks(Lattice.name("out task", c), factor);
            fill(lattice, c, trips, panel, tasks, l2);
            int stream = lattice.stream(Lattice.name("memtile mm2s", c));
            lattice.graph().agent(Lattice.name("memtile", c), new Program().repeat(trips, trip -> trip.acquire(l2.full(), 1)
                    .repeat(calls, call -> call.acquire(l1.free(), 1).move(List.of(stream), chunk, chunk, chunk, "L2 to L1").release(l1.full(), 1))
                    .release(l2.free(), 1)));
            lattice.graph().agent(Lattice.name("core", c), new Program().repeat(trips, trip -> trip.acquire(out.free(), 1)
                    .repeat(calls, call -> call.acquire(l1.full(), 1).acquire(vector.full(), 1).delay(compute, "mac")
                            .release(l1.free(), 1).release(vector.free(), 1))
                    .release(out.full(), 1)));
            drain(lattice, c, trips, 2L * tileRows, outTask, out);
            matrixTasks.add(tasks);
            outTasks.add(outTask);
            vectors.add(vector);
        }
        TaskQueue vectorTask = lattice.tasks("vector task", 1);
        broadcast(lattice, trips / factor, factor * calls, 2L * k, vectorTask, vectors);
        List<TaskQueue> each = new ArrayList<>(matrixTasks);
        each.addAll(outTasks);
        ControlPath.lay(lattice, trips, factor, List.of(vectorTask), each, outTasks);
    }

    private static void fill(Lattice lattice, int column, int trips, long panel, TaskQueue tasks, Buffer l2) {
        List<Integer> route = lattice.nextRead();
        lattice.graph().agent(Lattice.name("shim matrix", column), new Program().repeat(trips, trip -> {
            trip.acquire(tasks.tasks(), 1).delay(lattice.device().fabric().taskStart(), "task").acquire(l2.free(), 1);
            lattice.transfer(trip, route, panel, panel, "L3 to L2").release(l2.full(), 1).release(tasks.places(), 1);
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
