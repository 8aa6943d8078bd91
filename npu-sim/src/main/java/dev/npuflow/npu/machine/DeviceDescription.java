package dev.npuflow.npu.machine;

import dev.npuflow.npu.device.Accuracy;
import dev.npuflow.npu.device.HostCosts;
import dev.npuflow.npu.device.Trait;
import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// A device: what its file says, and how a machine of its kind builds and runs a launch with these numbers. Equal where the numbers are.
public interface DeviceDescription {

    String name();

    /// Of the machine, as the device's file writes it, such as `aie`.
    String kind();

    /// The host path to the device.
    HostCosts host();

    Optional<Accuracy> accuracy();

    /// What decides which plans are right or worth trying here.
    Set<Trait> traits();

    /// What to say beside a figure: how far this device was validated, or `uncalibrated`.
    default String trust() {
        return accuracy().map(Accuracy::toString).orElse("uncalibrated");
    }

    /// The largest buffer object that the device can address, in bytes.
    long largestBuffer();

    /// The kernels that launches can name here, by id.
    List<KernelId> kernels();

    /// The kernel whose signature launches of this id follow: the kernel itself, or the one that it is another form of, which is placed and timed and not
    /// computed; empty where the machine has none.
    Optional<KernelId> formOf(KernelId kernel);

    /// The kernel that computes what this one computes, bit for bit: the kernel itself, or the one that a form of it stands for where only its name is another; empty for a
    /// form with other results.
    Optional<KernelId> computedAs(KernelId kernel);

    /// Names of the tile sizes that a launch of the kernel has to state here; empty where it states none or the machine does not have the kernel.
    List<String> tileSizes(KernelId kernel);

    /// How mlir-air's benchmark builds the kernel.
    BenchmarkBuild benchmark(KernelId kernel);

    /// Whether a launch of the kernel has a tiling to choose; where not, its tile is the one that its builder has.
    boolean choosesTiles(KernelId kernel);

    /// Tilings that divide a launch's shape, best first. Whether one places is not known here.
    ///
    /// @param shape extents as the kernel's signature names them
    /// @throws IllegalArgumentException where the machine has no rule for the kernel
    Stream<Tiling> tilings(KernelId kernel, Map<String, Integer> shape);

    /// What an extent must be for a tiling to divide it, where some extents have none.
    String divisible(KernelId kernel);

    /// Limits that a launch breaks; empty if it can be placed. `elf` gives the flags and the neighbours. The launch states all that kernel and machine ask for,
    /// every extent at least 1.
    List<Blocker> check(LaunchDescription launch, ElfDescription elf);

    /// What builds and is doubtful.
    List<String> warnings(LaunchDescription launch);

    /// The object file that the launch's core function comes from, by all that is fixed when it is built; empty for what is generated into the ELF. Two objects
    /// under one symbol do not link.
    Optional<String> linkedObject(LaunchDescription launch);

    /// A launch as configurations of the device, which run one after the other.
    ///
    /// @throws dev.npuflow.fault.NpuflowException NPF-341 where the machine has no such kernel, NPF-344 for an extent that is missing
    List<Stage> stages(LaunchDescription launch, ElfDescription elf);
}
