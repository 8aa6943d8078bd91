package dev.npuflow.npu.runtime;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.ElfClock;
import dev.npuflow.npu.clock.HostClock;
import dev.npuflow.npu.compiler.Executable;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.Workers;
import dev.npuflow.npu.launch.ElfDescription.ArgumentDescription;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.DeviceDescription;
import java.lang.foreign.Arena;
import java.util.List;

/// A device, opened: allocates buffer objects, loads and runs ELFs. For one thread at a time. Closing it frees all its buffers
/// and gives back its hardware contexts.
public final class NpuRuntime implements AutoCloseable {

    private final DeviceDescription device;
    private final ElfClock elfClock;
    private final HostClock hostClock;
    private final CommandProcessor processor;
    private final HardwareContexts contexts;
    private final Workers workers;
    private final Arena arena = Arena.ofShared();
    private int buffers;
    private long runs;

    public NpuRuntime(DeviceDescription device, ElfClock elfClock, HostClock hostClock) {
        this(device, elfClock, hostClock, RuntimeOptions.standard());
    }

    public NpuRuntime(DeviceDescription device, ElfClock elfClock, HostClock hostClock, RuntimeOptions options) {
        this.device = device;
        this.elfClock = elfClock;
        this.hostClock = hostClock;
        processor = options.processor();
        contexts = new HardwareContexts(options);
        workers = new Workers(options.threads());
    }

    /// A buffer object; its memory is taken when it is first written.
    ///
    /// @throws NpuflowException NPF-400 for a size outside 1 byte to the largest that the device addresses
    public BufferObject allocate(String name, long bytes) {
        if (bytes < 1 || bytes > device.largestBuffer()) {
            throw NpuflowException.environment("NPF-400", "buffer object %s of %d bytes".formatted(name, bytes), "1 to %d bytes".formatted(device.largestBuffer()),
                    "a partition of the argument");
        }
        return new BufferObject(name, bytes, buffers++, arena, hostClock);
    }

    /// Puts the ELF on the device.
    ///
    /// @throws NpuflowException NPF-405 or NPF-406 where no hardware context is to be had
    public LoadedElf load(Executable executable) {
        if (!executable.device().equals(device)) {
            throw new IllegalArgumentException("ELF %s was built for another device".formatted(executable.elf().name()));
        }
        LoadedElf elf = new LoadedElf(executable, elfClock);
        contexts.use(elf);
        return elf;
    }

    /// Runs the launches in order on the device sides of `arguments`.
    ///
    /// @param activePositions token positions that hold real data: launches whose shape has `positions` compute no more
    /// @throws NpuflowException NPF-402 to NPF-404 for arguments that do not fit the ELF, NPF-405 or NPF-406 as [#load]
    public RunResult run(LoadedElf elf, List<BufferObject> arguments, int activePositions) {
        return run(elf, arguments, activePositions, LaunchInspector.NONE);
    }

    /// As [#run(LoadedElf, List, int)], while somebody looks at the device between the launches.
    public RunResult run(LoadedElf elf, List<BufferObject> arguments, int activePositions, LaunchInspector inspector) {
        check(elf, arguments, activePositions);
        contexts.use(elf);
        long run = runs++;
        CommandState state = processor.submit(elf.name(), run);
        if (state != CommandState.COMPLETED) {
            return new RunResult.Unfinished(state, elf.name(), run);
        }
        List<LaunchDescription> launches = elf.executable().elf().launches();
        for (int i = 0; i < launches.size(); i++) {
            var kernel = elf.executable().kernels().get(i);
            BoundOperands operands = BoundOperands.of(launches.get(i), kernel, arguments, activePositions, workers);
            kernel.execute(launches.get(i), operands);
            inspector.afterLaunch(i, operands);
        }
        return new RunResult.Completed(hostClock.dispatch() + elf.timing().picoseconds(), elf.timing());
    }

    /// Names of the ELFs that hold a hardware context, least recently used first.
    public List<String> residentElfs() {
        return contexts.resident();
    }

    @Override
    public void close() {
        contexts.releaseAll();
        workers.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private static void check(LoadedElf elf, List<BufferObject> arguments, int activePositions) {
        List<ArgumentDescription> expected = elf.executable().elf().arguments();
        if (arguments.size() != expected.size()) {
            throw NpuflowException.environment("NPF-402", "%d buffer objects for ELF %s".formatted(arguments.size(), elf.name()),
                    "%d, one for each argument".formatted(expected.size()), "the argument list that the ELF was built from");
        }
        for (int i = 0; i < expected.size(); i++) {
            if (arguments.get(i).bytes() < expected.get(i).bytes()) {
                throw NpuflowException.environment("NPF-403", "buffer object %s of %d bytes as argument %s of ELF %s".formatted(arguments.get(i).name(),
                        arguments.get(i).bytes(), expected.get(i).name(), elf.name()), "at least %d bytes".formatted(expected.get(i).bytes()),
                        "a buffer of the size of its argument");
            }
        }
        for (LaunchDescription launch : elf.executable().elf().launches()) {
            Integer positions = launch.shape().get(KernelSignature.POSITIONS);
            if (positions != null && (activePositions < 1 || activePositions > positions)) {
                throw NpuflowException.environment("NPF-404", "%d active positions in launch %s of ELF %s".formatted(activePositions, launch.name(), elf.name()),
                        "1 to %d".formatted(positions), "a shorter prompt, or an ELF for more positions");
            }
        }
    }
}
