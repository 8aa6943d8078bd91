package dev.npuflow.skill;

import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import java.util.List;

/// Asks the compiler whether a call can be placed on the device.
public interface Placement {

    /// Empty if the call compiles.
    List<Blocker> check(NpuCall call);

    /// A launch with each herd and tile that the device has for its kernel and shape, best first. Whether one places is for [#check] to say. Empty where the device
    /// has no such kernel or tile.
    ///
    /// @param launch whose herd and tile do not matter
    default List<Launch> tiled(Launch launch) {
        return List.of();
    }
}
