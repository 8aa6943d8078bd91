package dev.npuflow.npu.aie.flow;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.launch.LaunchDescription;
import java.util.SortedMap;

/// Named extents of a launch, checked: a data flow needs each of its own.
public final class Extents {

    private static final int GREATEST = 1 << 28;

    private Extents() {}

    /// @throws NpuflowException NPF-344 missing or not from 1 to 2^28
    public static int shape(LaunchDescription launch, String name) {
        return checked(launch, launch.shape(), name);
    }

    /// @throws NpuflowException NPF-344 missing or not from 1 to 2^28
    public static int tile(LaunchDescription launch, String name) {
        return checked(launch, launch.tile(), name);
    }

    private static int checked(LaunchDescription launch, SortedMap<String, Integer> extents, String name) {
        int extent = extents.getOrDefault(name, 0);
        if (extent < 1 || extent > GREATEST) {
            throw NpuflowException.badInput("NPF-344", "launch " + launch.name() + ": extent " + name, extents.containsKey(name) ? extent : "missing",
                    "a whole number from 1 to " + GREATEST, name + "=64");
        }
        return extent;
    }
}
