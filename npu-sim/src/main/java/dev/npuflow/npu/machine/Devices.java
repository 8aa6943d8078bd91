package dev.npuflow.npu.machine;

import dev.npuflow.fault.NearestName;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.device.DeviceFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/// Finds and reads device files.
public final class Devices {

    /// The first is the usual one.
    private static final List<String> SHIPPED = List.of("npu2", "npu1");
    /// The shipped files have 10 kB. The YAML reader's memory grows with the square of a line's length.
    private static final int MAXIMUM_BYTES = 128 << 10;

    private Devices() {}

    /// @param nameOrPath a shipped device (`npu2`, `npu1`) or the path of a YAML file
    /// @param overrides  `path=number`, such as `dram.read_gbps=40`; what was said of the file's accuracy does not hold any more then
    /// @throws NpuflowException NPF-300 when there is no such device, NPF-301 to NPF-308 for what is wrong in the file
    public static DeviceDescription load(String nameOrPath, List<String> overrides) {
        DeviceFile file = read(nameOrPath);
        for (String override : overrides) {
            file = file.with(override);
        }
        return describe(overrides.isEmpty() ? file : file.without("accuracy."));
    }

    /// The file alone, for those who change or fit its numbers.
    public static DeviceFile read(String nameOrPath) {
        return DeviceFile.parse(nameOrPath.endsWith(".yaml") || nameOrPath.endsWith(".yml") ? nameOrPath : nameOrPath + ".yaml", text(nameOrPath));
    }

    /// What a file describes, read by the machine of its kind.
    public static DeviceDescription describe(DeviceFile file) {
        return Machines.of(file).describe(file);
    }

    private static String text(String nameOrPath) {
        if (!nameOrPath.contains("/") && !nameOrPath.contains("\\") && !nameOrPath.endsWith(".yaml") && !nameOrPath.endsWith(".yml")) {
            try (InputStream resource = Devices.class.getResourceAsStream("/devices/" + nameOrPath + ".yaml")) {
                if (resource != null) {
                    return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
                }
            } catch (IOException e) {
                throw unreadable(nameOrPath, e.getMessage());
            }
            throw NpuflowException.badInput("NPF-300", "unknown device", nameOrPath, "%s or a path that ends in .yaml".formatted(String.join(", ", SHIPPED)),
                    "--device " + NearestName.of(nameOrPath, SHIPPED).orElse(SHIPPED.getFirst()));
        }
        try {
            Path path = Path.of(nameOrPath);
            if (Files.isRegularFile(path) && Files.size(path) <= MAXIMUM_BYTES) {
                return Files.readString(path);
            }
            throw unreadable(nameOrPath, Files.exists(path) ? "no regular file of at most 128 KiB" : "no such file");
        } catch (IOException | InvalidPathException e) {
            throw unreadable(nameOrPath, e.getMessage());
        }
    }

    private static NpuflowException unreadable(String nameOrPath, String why) {
        return NpuflowException.badInput("NPF-300", "device file " + nameOrPath + " cannot be read", why, "a UTF-8 YAML file", "--device npu2");
    }
}
