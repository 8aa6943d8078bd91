package dev.npuflow.skill.herd;

import static dev.npuflow.skill.Assessment.applies;
import static dev.npuflow.skill.Assessment.doesNotApply;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.FailureMode;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import java.util.List;
import java.util.stream.Stream;

/// Runs a launch of little work on one core: between two launches of an ELF the device configures each core that the next one runs on, and for a vector of a few
/// kilobytes that takes longer than the work. Tiles and symbols stay, and each element is computed as before, so the self-check demands equal bits.
public final class SizeHerds implements Skill {

    /// Two fills of one core's 64 KiB of L1 (AM020, AIE-ML tile data memory): one core streams that in a few microseconds.
    static final long SMALL_BYTES = 128 * 1024;

    static final Herd ONE_CORE = new Herd(1, 1);

    @Override public String name() {
        return "opt-herd-sizing";
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        long cores = cores(deployment, context);
        long fewer = cores(apply(deployment, context), context);
        return fewer < cores ? applies("its launches configure %d cores instead of %d".formatted(fewer, cores))
                : doesNotApply("no launch of at most %d KiB runs on more than one core".formatted(SMALL_BYTES / 1024));
    }

    @Override public Deployment apply(Deployment deployment, SkillContext context) {
        return deployment.withPhase(context.phase(), deployment.phase(context.phase()).mapCalls(call -> sized(call, context)));
    }

    private static NpuCall sized(NpuCall call, SkillContext context) {
        NpuCall sized = call;
        for (Launch launch : call.launches()) {
            sized = shrunk(sized, launch, context);
        }
        return sized;
    }

    /// The call with this launch on one core, or as it was where that does not place.
    private static NpuCall shrunk(NpuCall call, Launch launch, SkillContext context) {
        if (launch.herd().cores() == 1 || bytes(call, launch) > SMALL_BYTES) {
            return call;
        }
        NpuCall shrunk = call.withLaunches(call.launches().stream().map(each -> each == launch ? each.withTile(ONE_CORE, each.tile()) : each).toList());
        return context.placement().check(shrunk).isEmpty() ? shrunk : call;
    }

    /// What the launch reads and writes.
    private static long bytes(NpuCall call, Launch launch) {
        return Stream.concat(launch.inputs().values().stream(), launch.outputs().values().stream()).mapToLong(operand -> bytes(call, operand)).sum();
    }

    private static long bytes(NpuCall call, Operand operand) {
        return operand.elements() * call.argument(operand.argument()).dataType().bytes();
    }

    private static long cores(Deployment deployment, SkillContext context) {
        return deployment.phase(context.phase()).calls().flatMap(call -> call.launches().stream()).mapToLong(launch -> launch.herd().cores()).sum();
    }

    @Override public List<FailureMode> failureModes() {
        return List.of(new FailureMode("slower than before", "one core works longer on it than the device takes to configure the others",
                "leave the herd as it was"));
    }
}
