package dev.npuflow.npu.aie.flow;

import dev.npuflow.npu.aie.array.AieHardware.Control;
import dev.npuflow.npu.aie.flow.Lattice.TaskQueue;
import dev.npuflow.npu.engine.Program;
import java.util.List;

/// The control processor of a launch: for each sync group it writes the group's BDs and pushes their tasks in order, then waits for the last tokens.
///
/// The tiling factor used is the largest divisor of the trip count that is at most the one asked for (mlir-air `findLargestFactor`,
/// AIRDependencyScheduleOpt.cpp).
public final class ControlPath {

    private ControlPath() {}

    public static int factor(int trips, int requested) {
        int factor = Math.max(1, Math.min(trips, requested));
        while (trips % factor != 0) {
            factor--;
        }
        return factor;
    }

    /// @param once      queues that get one task a group, such as a vector that repeats
    /// @param each      queues that get one task an iteration
    /// @param awaited   queues whose tasks of the group are waited for
    public static void lay(Lattice lattice, int trips, int factor, List<TaskQueue> once, List<TaskQueue> each, List<TaskQueue> awaited) {
        Control control = lattice.device().control();
        Program program = new Program().repeat(trips / factor, group -> {
            once.forEach(queue -> push(group, queue, control));
            group.repeat(factor, iteration -> each.forEach(queue -> push(iteration, queue, control)));
            awaited.forEach(queue -> group.acquire(queue.done(), factor));
            group.delay(control.groupSync(), "sync");
        });
        lattice.graph().agent("control", program);
    }

    private static void push(Program program, TaskQueue queue, Control control) {
        program.acquire(queue.places(), 1).delay(control.taskIssue(), "issue").release(queue.tasks(), 1);
    }
}
