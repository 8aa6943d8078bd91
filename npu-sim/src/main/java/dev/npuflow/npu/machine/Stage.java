package dev.npuflow.npu.machine;

import dev.npuflow.npu.engine.Graph;
import dev.npuflow.npu.engine.Outcome;

/// One configuration of a device. A launch is one stage, or several where the tool chain splits it (a GEMM with a separate cast).
public interface Stage {

    /// As traces call it.
    String name();

    /// Picoseconds to configure the device for it, where it is not configured yet.
    long configuration();

    /// What is configured, such as `configure 8 cores`.
    String configurationLabel();

    /// All that determines its time on one device, with a value's equality.
    Object timeKey();

    /// How often the stage repeats itself, at least 1.
    int periods();

    /// Lays the stage, whole or only its first periods: a few tell the rest.
    ///
    /// @param periods at most [#periods()]
    Graph lay(int periods);

    /// The resource that was busy longest.
    String boundBy(Outcome outcome);

    /// The group of tracks that a component's track belongs to in a trace, such as `column 03`.
    String group(String component);
}
