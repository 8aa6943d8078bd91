package dev.npuflow.skill;

import dev.npuflow.plan.NpuCall;
import java.util.List;

/// Asks the compiler whether a call can be placed on the device.
public interface Placement {

    /// Empty if the call compiles.
    List<Blocker> check(NpuCall call);
}
