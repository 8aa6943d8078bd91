package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.machine.Tiling;
import dev.npuflow.plan.Launch;
import dev.npuflow.skill.Placement;
import java.util.stream.Stream;

/// A placement that also knows which herds and tiles to try.
public interface TilePlacement extends Placement {

    /// Herds and tiles that divide the launch's shape, best first. Whether one places is for [#check] to say.
    Stream<Tiling> tilings(Launch launch);
}
