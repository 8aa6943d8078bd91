package dev.npuflow.workflow.lowering;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.skill.Blocker;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Gives a call of one launch the best herd and tile that the device takes: ping-pong where a tile is legal with it, else without; herd 8,
/// then 4, 2, 1; the largest even tile_m, then the largest m_input. The first candidate that places is taken, so a
/// plan does not depend on any timing.
public final class TileChooser {

    private final TilePlacement placement;

    public TileChooser(TilePlacement placement) {
        this.placement = placement;
    }

    /// @throws NpuflowException NPF-201 if no herd and tile places, with the blocker of the last candidate
    public NpuCall choose(NpuCall untiled) {
        return Stream.of(true, false).flatMap(pingPong -> choose(untiled, pingPong).stream()).findFirst()
                .orElseThrow(() -> noLegalTile(untiled));
    }

    /// Empty if nothing places under that flag.
    public Optional<NpuCall> choose(NpuCall untiled, boolean pingPong) {
        return candidates(untiled, pingPong).filter(call -> placement.check(call).isEmpty()).findFirst();
    }

    private Stream<NpuCall> candidates(NpuCall untiled, boolean pingPong) {
        Launch launch = untiled.launches().getFirst();
        NpuCall call = untiled.withOptions(new ElfOptions(pingPong, untiled.options().loopTiling()));
        return placement.tilings(launch)
                .map(tiling -> call.withLaunches(List.of(launch.withTile(new Herd(tiling.herdColumns(), tiling.herdRows()), tiling.tile()))));
    }

    private NpuflowException noLegalTile(NpuCall untiled) {
        Launch launch = untiled.launches().getFirst();
        List<List<Blocker>> broken = candidates(untiled, false).map(placement::check).toList();
        List<Blocker> last = broken.isEmpty() ? List.of() : broken.getLast();
        // A limit that every candidate breaks is the shape's, not the tile's: only its remedy helps.
        Optional<Blocker> ofShape = last.stream().filter(blocker -> broken.stream().allMatch(each -> breaks(each, blocker.limit()))).findFirst();
        String message = ofShape.or(() -> last.stream().findFirst()).map(Blocker::message).orElse("no herd and tile divides the shape");
        return NpuflowException.badInput("NPF-201", "%s: %s %s does not place: %s".formatted(untiled.name(), launch.kernel(), launch.shape(),
                message), "a shape with a legal herd and tile", ofShape.map(blocker -> "this: " + blocker.remedy() + " Or use ").orElse("")
                + "another device file, or padding that dimension of the model");
    }

    private static boolean breaks(List<Blocker> blockers, String limit) {
        return blockers.stream().anyMatch(blocker -> blocker.limit().equals(limit));
    }
}
