package dev.npuflow.npu.device;

import dev.npuflow.npu.NpuException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Finds and reads device files.
public final class Devices {

    private static final int MAXIMUM_BYTES = 1 << 20;

    private Devices() {}

    /// @param nameOrPath a shipped device (`npu2`, `npu1`) or the path of a YAML file
    /// @param overrides  `path=number`, such as `dram.read_gbps=40`; what was said of the file's accuracy does not hold any more then
    /// @throws NpuException NPF-300 when there is no such device, NPF-301 to NPF-306 for what is wrong in the file
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

    public static DeviceDescription describe(DeviceFile file) {
        FieldReader fields = new FieldReader(file);
        DeviceDescription device = new DeviceDescription(file.name(), array(fields), dma(fields),
                new DeviceDescription.Clock(fields.number("clock.array_mhz", 1, 1e5) * 1e6), dram(fields), fabric(fields), control(fields),
                core(fields),
                host(fields), accuracy(fields));
        fields.done();
        return device;
    }

    private static DeviceDescription.ArrayLimits array(FieldReader f) {
        return new DeviceDescription.ArrayLimits(f.whole("array.columns", 1, 128), f.whole("array.core_rows", 1, 64),
                f.whole("array.core_memory_bytes", 1024, 1 << 30), f.whole("array.memtile_memory_bytes", 1024, 1 << 30),
                f.whole("array.stack_bytes", 0, 1 << 20));
    }

    private static DeviceDescription.DmaLimits dma(FieldReader f) {
        return new DeviceDescription.DmaLimits(f.whole("dma.shim_channels", 1, 64), f.whole("dma.memtile_channels", 1, 64),
                f.whole("dma.core_channels", 1, 64), f.whole("dma.shim_buffer_descriptors", 1, 4096), f.whole("dma.memtile_buffer_descriptors", 1,
                4096),
                f.whole("dma.core_buffer_descriptors", 1, 4096), f.whole("dma.task_queue_entries", 1, 4096), f.whole("dma.maximum_repeat", 0,
                1 << 20),
                f.whole("dma.maximum_wrap", 1, 1 << 20), f.whole("dma.maximum_stride", 1, 1 << 30), f.whole("dma.granularity_bytes", 1, 64));
    }

    private static DeviceDescription.Dram dram(FieldReader f) {
        return new DeviceDescription.Dram(f.rate("dram.read_gbps"), f.rate("dram.write_gbps"), f.rate("dram.total_gbps"),
                f.number("dram.run_ns", 0, 1e6) * 1e3, f.whole("dram.packet_bytes", 64, 1 << 20));
    }

    private static DeviceDescription.Fabric fabric(FieldReader f) {
        return new DeviceDescription.Fabric(f.rate("fabric.shim_channel_gbps"), f.rate("fabric.stream_gbps"), f.nanoseconds("fabric.task_start_ns"));
    }

    private static DeviceDescription.Control control(FieldReader f) {
        return new DeviceDescription.Control(f.nanoseconds("control.task_issue_ns"), f.nanoseconds("control.group_sync_ns"),
                f.microseconds("control.reconfigure_us"), f.microseconds("control.reconfigure_core_us")).slowed(f.slowness());
    }

    private static DeviceDescription.CoreCycles core(FieldReader f) {
        return new DeviceDescription.CoreCycles(f.cycles("core.gemv_step_cycles"), f.cycles("core.gemv_call_cycles"),
                f.cycles("core.add_vector_cycles"),
                f.cycles("core.silu_vector_cycles"), f.cycles("core.norm_vector_cycles"), f.cycles("core.norm_row_cycles"),
                f.cycles("core.rope_vector_cycles"), f.cycles("core.rope_row_cycles"), f.number("core.gemm_macs_per_cycle", 0.1, 1e5),
                f.number("core.gemm_direct_macs_per_cycle", 0.1, 1e5), f.cycles("core.gemm_call_cycles"),
                f.cycles("core.gemm_round_vector_cycles"), f.cycles("core.softmax_vector_cycles"));
    }

    private static DeviceDescription.HostCosts host(FieldReader f) {
        return new DeviceDescription.HostCosts(f.microseconds("host.round_trip_us"), f.microseconds("host.alternation_us"), f.rate("host.write_gbps"),
                f.rate("host.cold_write_gbps"), f.rate("host.read_gbps"), f.microseconds("host.buffer_call_us"), f.microseconds("host.numpy_call_us"),
                f.rate("host.numpy_gbps"), f.number("host.gflops", 1e-3, 1e6) * 1e9, f.microseconds("host.idle_after_us"),
                f.microseconds("host.wake_us"))
                .slowed(f.slowness());
    }

    private static Optional<Accuracy> accuracy(FieldReader f) {
        return f.has("accuracy.decode_mean_percent") ? Optional.of(new Accuracy(f.number("accuracy.decode_mean_percent", 0, 1000),
                f.number("accuracy.decode_worst_percent", 0, 1000), f.number("accuracy.kernel_mean_percent", 0, 1000))) : Optional.empty();
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
            throw new NpuException("NPF-300", "device " + nameOrPath + " is unknown", "npu1, npu2 or a path that ends in .yaml", "--device npu2");
        }
        try {
            Path path = Path.of(nameOrPath);
            if (Files.isRegularFile(path) && Files.size(path) <= MAXIMUM_BYTES) {
                return Files.readString(path);
            }
            throw unreadable(nameOrPath, Files.exists(path) ? "no regular file of at most 1 MiB" : "no such file");
        } catch (IOException e) {
            throw unreadable(nameOrPath, e.getMessage());
        }
    }

    private static NpuException unreadable(String nameOrPath, String why) {
        return new NpuException("NPF-300", "device file " + nameOrPath + " cannot be read (" + why + ")", "a UTF-8 YAML file", "--device npu2");
    }
}
