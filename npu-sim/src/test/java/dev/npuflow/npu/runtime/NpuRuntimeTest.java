package dev.npuflow.npu.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.compiler.Executable;
import dev.npuflow.npu.kernel.Bfloat16;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NpuRuntimeTest {

    private final Executable sum = Bench.additions("sum", 3, new int[] {0, 1, 2});

    private static List<BufferObject> buffers(NpuRuntime npu, int... values) {
        List<BufferObject> buffers = new ArrayList<>();
        for (int value : values) {
            BufferObject buffer = npu.allocate("arg" + buffers.size(), 128);
            Bench.upload(buffer, value);
            buffers.add(buffer);
        }
        return buffers;
    }

    @Test
    void launches_run_in_order_on_the_device_alone() {
        try (NpuRuntime npu = Bench.runtime()) {
            List<BufferObject> arguments = buffers(npu, 3, 4, 0, 0);
            Executable chain = Bench.additions("chain", 4, new int[] {0, 1, 2}, new int[] {2, 1, 3});
            npu.run(npu.load(chain), arguments, 4).completed();
            arguments.get(3).syncFromDevice();
            assertEquals(11, Bench.first(arguments.get(3)));
            assertEquals(0, Bench.first(arguments.get(2)));
        }
    }

    @Test
    void an_inspector_sees_each_launch_on_the_device_and_costs_no_time() {
        try (NpuRuntime npu = Bench.runtime()) {
            List<BufferObject> arguments = buffers(npu, 3, 4, 0, 0);
            LoadedElf chain = npu.load(Bench.additions("chain", 4, new int[] {0, 1, 2}, new int[] {2, 1, 3}));
            List<Short> seen = new ArrayList<>();
            long watched = npu.run(chain, arguments, 4, (_, operands) -> seen.add(operands.port("out").get(ValueLayout.JAVA_SHORT_UNALIGNED, 0)))
                    .completed().picoseconds();
            assertEquals(List.of(Bfloat16.fromFloat(7), Bfloat16.fromFloat(11)), seen);
            assertEquals(npu.run(chain, arguments, 4).completed().picoseconds(), watched);
        }
    }

    @Test
    void what_an_inspector_writes_is_what_the_next_launch_reads() {
        try (NpuRuntime npu = Bench.runtime()) {
            List<BufferObject> arguments = buffers(npu, 3, 4, 0, 0);
            LoadedElf chain = npu.load(Bench.additions("chain", 4, new int[] {0, 1, 2}, new int[] {2, 1, 3}));
            npu.run(chain, arguments, 4, (launch, operands) -> {
                if (launch == 0) {
                    operands.port("out").fill((byte) 0);
                }
            }).completed();
            arguments.get(3).syncFromDevice();
            assertEquals(4, Bench.first(arguments.get(3)));
        }
    }

    @Test
    void a_run_takes_the_calls_time_and_the_arrays() {
        try (NpuRuntime npu = Bench.runtime()) {
            RunResult.Completed completed = npu.run(npu.load(sum), buffers(npu, 1, 2, 0), 4).completed();
            assertEquals(Bench.DISPATCH + Bench.ELF, completed.picoseconds());
            assertEquals(Bench.ELF, completed.timing().picoseconds());
        }
    }

    @Test
    void a_timeout_is_told_by_the_state_and_not_by_the_values() {
        CommandProcessor hangsAtSecond = (elf, run) -> run == 1 ? CommandState.TIMEOUT : CommandState.COMPLETED;
        try (NpuRuntime npu = Bench.runtime(RuntimeOptions.standard().withProcessor(hangsAtSecond))) {
            LoadedElf elf = npu.load(sum);
            List<BufferObject> arguments = buffers(npu, 3, 4, 0);
            npu.run(elf, arguments, 4).completed();
            Bench.upload(arguments.get(1), 40);
            RunResult.Unfinished unfinished = assertInstanceOf(RunResult.Unfinished.class, npu.run(elf, arguments, 4));
            assertEquals(new RunResult.Unfinished(CommandState.TIMEOUT, "sum", 1), unfinished);
            NpuflowException told = assertThrows(NpuflowException.class, unfinished::completed);
            assertEquals("NPF-407", told.id());
            assertTrue(told.getMessage().contains("device timeout at run 1"), told.getMessage());
            arguments.get(2).syncFromDevice();
            assertEquals(7, Bench.first(arguments.get(2)), "an old answer, which looks like one");
            npu.run(elf, arguments, 4).completed();
            arguments.get(2).syncFromDevice();
            assertEquals(43, Bench.first(arguments.get(2)));
        }
    }

    @Test
    void a_dead_device_completes_nothing() {
        try (NpuRuntime npu = Bench.runtime(RuntimeOptions.standard().withProcessor((elf, run) -> CommandState.ABORTED))) {
            LoadedElf elf = npu.load(sum);
            List<BufferObject> arguments = buffers(npu, 3, 4, 0);
            for (int run = 0; run < 3; run++) {
                assertInstanceOf(RunResult.Unfinished.class, npu.run(elf, arguments, 4));
            }
        }
    }

    @Test
    void arguments_that_do_not_fit_are_named() {
        try (NpuRuntime npu = Bench.runtime()) {
            LoadedElf elf = npu.load(sum);
            List<BufferObject> arguments = buffers(npu, 1, 2, 0);
            assertEquals("NPF-402", assertThrows(NpuflowException.class, () -> npu.run(elf, arguments.subList(0, 2), 4)).id());
            List<BufferObject> small = List.of(arguments.get(0), arguments.get(1), npu.allocate("small", 126));
            assertEquals("NPF-403", assertThrows(NpuflowException.class, () -> npu.run(elf, small, 4)).id());
            assertEquals("NPF-404", assertThrows(NpuflowException.class, () -> npu.run(elf, arguments, 5)).id());
            assertEquals("NPF-404", assertThrows(NpuflowException.class, () -> npu.run(elf, arguments, 0)).id());
        }
    }

    @Test
    void eight_elfs_on_six_contexts_give_the_results_of_eight_on_eight() {
        assertEquals(eightElfs(RuntimeOptions.standard()), eightElfs(RuntimeOptions.standard().withContexts(6, () -> 0)));
    }

    private static List<Double> eightElfs(RuntimeOptions options) {
        try (NpuRuntime npu = Bench.runtime(options)) {
            List<LoadedElf> elfs = IntStream.range(0, 8).mapToObj(i -> npu.load(Bench.additions("elf" + i, 2, new int[] {0, 1, 0}))).toList();
            List<BufferObject> arguments = buffers(npu, 1, 2);
            List<Double> results = new ArrayList<>();
            for (int token = 0; token < 2; token++) {
                for (LoadedElf elf : elfs) {
                    npu.run(elf, arguments, 4).completed();
                    arguments.get(0).syncFromDevice();
                    results.add(Bench.first(arguments.get(0)));
                }
            }
            assertTrue(npu.residentElfs().size() <= options.contexts());
            return results;
        }
    }

    @Test
    void the_elf_not_used_for_longest_gives_up_its_context() {
        try (NpuRuntime npu = Bench.runtime(RuntimeOptions.standard().withContexts(2, () -> 0))) {
            LoadedElf first = npu.load(Bench.additions("first", 2, new int[] {0, 1, 0}));
            npu.load(Bench.additions("second", 2, new int[] {0, 1, 0}));
            npu.run(first, buffers(npu, 1, 2), 4).completed();
            npu.load(Bench.additions("third", 2, new int[] {0, 1, 0}));
            assertEquals(List.of("first", "third"), npu.residentElfs());
        }
    }

    @Test
    void contexts_held_by_others_are_told_apart_from_a_device_without_any() {
        AtomicInteger others = new AtomicInteger(3);
        try (NpuRuntime npu = Bench.runtime(RuntimeOptions.standard().withContexts(3, others::get))) {
            NpuflowException busy = assertThrows(NpuflowException.class, () -> npu.load(sum));
            assertEquals("NPF-406", busy.id());
            assertTrue(busy.getMessage().contains("3 of 3 hardware contexts in use by others"), busy.getMessage());
            others.set(2);
            npu.load(sum);
        }
        try (NpuRuntime npu = Bench.runtime(RuntimeOptions.standard().withContexts(0, () -> 0))) {
            NpuflowException unusable = assertThrows(NpuflowException.class, () -> npu.load(sum));
            assertEquals("NPF-405", unusable.id());
            assertTrue(unusable.getMessage().contains("not usable"), unusable.getMessage());
        }
    }

    @Test
    void all_contexts_are_given_back_after_an_exception_too() {
        NpuRuntime npu = Bench.runtime();
        assertThrows(NpuflowException.class, () -> {
            try (npu) {
                npu.run(npu.load(sum), List.of(), 4);
            }
        });
        assertEquals(List.of(), npu.residentElfs());
        npu.close();
    }
}
