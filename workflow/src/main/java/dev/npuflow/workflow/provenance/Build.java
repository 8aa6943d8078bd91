package dev.npuflow.workflow.provenance;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.file.ContentHash;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// This npuflow. Its version names a release; its hash, over every class and resource of its four parts that judge and measure, names what ran. The ledger holds both of
/// each run and each measurement, `--version` and `why` show them, and no document does: a document would change with every commit.
public final class Build {

    public static final String VERSION = "npuflow 0.1.0";

    private Build() {}

    /// Read when it is first asked for.
    private static final class Hashed {

        private static final String HASH = ContentHash.of(Stream.of(NpuflowException.class, Deployment.class, Devices.class, Build.class)
                .map(part -> CodeHash.place(part).map(CodeHash::ofEntries).orElse("unknown")).collect(Collectors.joining("\n")));
    }

    /// @return 64 digits in hex
    public static String hash() {
        return Hashed.HASH;
    }

    /// Version and hash, as records hold them.
    public static String identity() {
        return VERSION + " " + hash();
    }
}
