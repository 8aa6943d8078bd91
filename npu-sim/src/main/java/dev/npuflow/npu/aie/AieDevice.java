package dev.npuflow.npu.aie;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.limit.LaunchSite;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.placement.AieKernel;
import dev.npuflow.npu.device.Accuracy;
import dev.npuflow.npu.device.HostCosts;
import dev.npuflow.npu.device.Trait;
import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Stage;
import dev.npuflow.npu.machine.Tiling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A device that is an AIE array.
public record AieDevice(String name, AieHardware hardware, HostCosts host, Optional<Accuracy> accuracy, Set<Trait> traits) implements DeviceDescription {

    /// @throws NpuflowException NPF-309 where it is a device of another kind
    public static AieDevice of(DeviceDescription device) {
        if (device instanceof AieDevice array) {
            return array;
        }
        throw NpuflowException.badInput("NPF-309", "device " + device.name(), "a device of kind aie", "--device npu2");
    }

    @Override public String kind() {
        return AieMachine.KIND;
    }

    @Override public long largestBuffer() {
        return hardware.dma().largestBufferBytes();
    }

    @Override public List<KernelId> kernels() {
        return AieKernels.ids();
    }

    @Override public Optional<KernelId> formOf(KernelId kernel) {
        return AieKernels.byId(kernel).map(AieKernel::formOf);
    }

    @Override public Optional<KernelId> computedAs(KernelId kernel) {
        return AieKernels.byId(kernel).flatMap(AieKernel::computedAs);
    }

    @Override public List<String> tileSizes(KernelId kernel) {
        return AieKernels.byId(kernel).map(AieKernel::tileSizes).orElse(List.of());
    }

    @Override public BenchmarkBuild benchmark(KernelId kernel) {
        return AieKernels.byId(kernel).map(AieKernel::benchmark).orElse(BenchmarkBuild.PLAIN);
    }

    @Override public boolean choosesTiles(KernelId kernel) {
        return AieKernels.byId(kernel).map(AieKernel::choosesTiles).orElse(false);
    }

    @Override public Stream<Tiling> tilings(KernelId kernel, Map<String, Integer> shape) {
        return AieKernels.byId(kernel).orElseThrow(() -> new IllegalArgumentException("no tiling rule for kernel %s".formatted(kernel)))
                .tilings(shape, hardware);
    }

    @Override public String divisible(KernelId kernel) {
        return AieKernels.byId(kernel).map(known -> known.divisible(hardware)).orElse("another kernel");
    }

    @Override public List<Blocker> check(LaunchDescription launch, ElfDescription elf) {
        return AieKernels.byId(launch.kernel()).map(kernel -> Limit.check(new LaunchSite(launch, elf, hardware), kernel.limits())).orElse(List.of());
    }

    @Override public List<String> warnings(LaunchDescription launch) {
        return AieKernels.byId(launch.kernel()).map(kernel -> kernel.warnings(launch)).orElse(List.of());
    }

    @Override public Optional<String> linkedObject(LaunchDescription launch) {
        return AieKernels.byId(launch.kernel()).flatMap(kernel -> kernel.linkedObject(launch));
    }

    @Override public List<Stage> stages(LaunchDescription launch, ElfDescription elf) {
        AieKernel kernel = AieKernels.byId(launch.kernel()).orElseThrow(() -> NpuflowException.environment("NPF-341", "kernel " + launch.kernel() + " has no data flow",
                "one of " + AieKernels.ids().stream().map(KernelId::value).collect(Collectors.joining(", ")), "another kernel"));
        return kernel.configurations(launch, hardware).stream().<Stage>map(configuration -> new AieStage(configuration, elf, hardware)).toList();
    }
}
