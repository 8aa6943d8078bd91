package dev.npuflow.skill.herd;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.skill.Evidence;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

    @Override public int order() {
        return 300;
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        Optional<String> lacking = context.lacks(List.of(DeviceTrait.CONFIGURES_CORES));
        if (lacking.isPresent()) {
            return Assessment.notApplicable(lacking.get());
        }
        Deployment changed = deployment.mapCalls(context.phase(), call -> sized(call, context));
        long cores = cores(deployment, context);
        long fewer = cores(changed, context);
        if (fewer == cores) {
            return Assessment.notApplicable("no launch of at most %d KiB runs on more than one core".formatted(SMALL_BYTES / 1024));
        }
        String reason = "its launches configure %d cores instead of %d".formatted(fewer, cores);
        return Assessment.proposal(changed, reason).withEvidence(List.of(Evidence.of("Herd sizing", "Launches on one core now: " + smaller(deployment, changed, context),
                "Cores that the launches configure: %d -> %d".formatted(cores, fewer))));
    }

    /// Names of the launches that got a smaller herd.
    private static String smaller(Deployment before, Deployment after, SkillContext context) {
        List<Launch> old = launches(before, context).toList();
        List<Launch> sized = launches(after, context).toList();
        return IntStream.range(0, old.size()).filter(i -> !old.get(i).herd().equals(sized.get(i).herd()))
                .mapToObj(i -> "%s (%dx%d)".formatted(old.get(i).name(), old.get(i).herd().columns(), old.get(i).herd().rows())).collect(Collectors.joining(", "));
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
        return launches(deployment, context).mapToLong(launch -> launch.herd().cores()).sum();
    }

    private static Stream<Launch> launches(Deployment deployment, SkillContext context) {
        return deployment.phase(context.phase()).calls().flatMap(call -> call.launches().stream());
    }
}
