package dev.npuflow.workflow.cli.sim.aie;

import java.nio.file.Path;

/// The reader of measured deployments, for tests elsewhere.
public final class MeasuredModelReading {

    private MeasuredModelReading() {}

    /// @return rows
    public static int read(Path file) {
        return MeasuredModel.read(file).size();
    }
}
