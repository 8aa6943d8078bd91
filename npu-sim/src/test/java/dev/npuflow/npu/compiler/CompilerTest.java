package dev.npuflow.npu.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.kernel.rmsnorm.RmsNormKernel;
import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.ElfDescription.ArgumentDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.launch.LaunchDescription.PortBinding;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CompilerTest {

    private static List<String> limits(ElfDescription elf) {
        return Elf.blockers(Compiler.compile(elf, Elf.NPU2)).stream().map(Blocker::limit).toList();
    }

    /// A legal GEMV with one thing changed.
    private static ElfDescription changed(Consumer<TreeMap<String, Integer>> shape, Consumer<TreeMap<String, Integer>> tile,
            Consumer<TreeMap<String, PortBinding>> ports) {
        ElfDescription legal = new Elf().gemv(64, 64, 8, 8, 8).description();
        LaunchDescription launch = legal.launches().getFirst();
        return new ElfDescription("elf", List.of(new LaunchDescription("launch", GemvKernel.ID, "mv", copy(launch.shape(), shape), launch.constants(), 8, 1,
                copy(launch.tile(), tile), copy(launch.ports(), ports))), legal.arguments(), false, 1);
    }

    private static <T> TreeMap<String, T> copy(SortedMap<String, T> source, Consumer<TreeMap<String, T>> change) {
        TreeMap<String, T> copy = new TreeMap<>(source);
        change.accept(copy);
        return copy;
    }

    private static List<String> shape(Consumer<TreeMap<String, Integer>> change) {
        return limits(changed(change, tile -> {}, ports -> {}));
    }

    private static List<String> tile(Consumer<TreeMap<String, Integer>> change) {
        return limits(changed(shape -> {}, change, ports -> {}));
    }

    private static List<String> ports(Consumer<TreeMap<String, PortBinding>> change) {
        return limits(changed(shape -> {}, tile -> {}, change));
    }

    @Test
    void a_launch_that_states_all_is_built_with_its_kernels() {
        Compilation.Built built = assertInstanceOf(Compilation.Built.class, new Elf().gemv(64, 64, 8, 8, 8).compile());
        assertEquals(GemvKernel.ID, built.executable().kernels().getFirst().id());
        assertEquals(List.of(), built.warnings());
    }

    @Test
    void what_a_launch_leaves_out_or_misspells_is_a_blocker() {
        assertEquals(List.of("MISSING_SHAPE"), shape(s -> s.remove("k")));
        assertEquals(List.of("UNKNOWN_SHAPE"), shape(s -> s.put("poisitions", 1)));
        assertEquals(List.of("EXTENT"), shape(s -> s.put("k", 0)));
        assertEquals(List.of("MISSING_TILE"), tile(t -> t.remove("m_input")));
        assertEquals(List.of("UNKNOWN_TILE"), tile(t -> t.put("tile_n", 16)));
        assertEquals(List.of("EXTENT"), tile(t -> t.put("tile_m", -8)));
        assertEquals(List.of("MISSING_PORT"), ports(p -> p.remove("out")));
        assertEquals(List.of("UNKNOWN_PORT"), ports(p -> p.put("bias", new PortBinding(0, 0, 64))));
    }

    @Test
    void a_binding_outside_its_argument_or_of_another_size_is_a_blocker() {
        assertEquals(List.of("PORT_SIZE"), ports(p -> p.put("vector", new PortBinding(1, 0, 32))));
        assertEquals(List.of("ARGUMENT_INDEX"), ports(p -> p.put("vector", new PortBinding(3, 0, 64))));
        assertEquals(List.of("ARGUMENT_INDEX"), ports(p -> p.put("vector", new PortBinding(-1, 0, 64))));
        assertEquals(List.of("ARGUMENT_BOUNDS"), ports(p -> p.put("vector", new PortBinding(1, 2, 64))));
        assertEquals(List.of("ARGUMENT_BOUNDS"), ports(p -> p.put("vector", new PortBinding(1, Long.MAX_VALUE - 2, 64))));
        assertEquals(List.of("GRANULARITY"), ports(p -> p.put("vector", new PortBinding(0, 1, 64))));
        assertEquals(List.of(), ports(p -> p.put("vector", new PortBinding(0, 2, 64))));
    }

    @Test
    void a_shape_too_large_to_address_is_a_blocker() {
        assertEquals(List.of("PORT_SIZE", "PORT_SIZE", "PORT_SIZE"), shape(s -> {
            s.put("m", Integer.MAX_VALUE);
            s.put("k", Integer.MAX_VALUE);
        }));
    }

    @Test
    void positions_that_do_not_divide_the_rows_are_a_blocker() {
        assertEquals(List.of("POSITIONS", "POSITIONS", "POSITIONS"),
                new Elf().launch("eltwise_add", "add", "n=64;positions=7", "tile_n=16", 1, 1).limits());
        assertEquals(List.of(), new Elf().launch("eltwise_add", "add", "n=64;positions=4", "tile_n=16", 1, 1).limits());
    }

    @Test
    void an_unknown_kernel_is_a_blocker() {
        LaunchDescription launch = new LaunchDescription("launch", new KernelId("conv2d"), "conv", new TreeMap<>(), new TreeMap<>(), 1, 1, new TreeMap<>(),
                new TreeMap<>());
        assertEquals(List.of("UNKNOWN_KERNEL"), limits(new ElfDescription("elf", List.of(launch), List.of(), false, 1)));
    }

    @Test
    void a_missing_constant_is_a_blocker() {
        LaunchDescription norm = new Elf().launch("rms_norm", "norm", "rows=1;n=16", "", 1, 1).description().launches().getFirst();
        LaunchDescription without = new LaunchDescription("norm", RmsNormKernel.ID, "norm", norm.shape(), new TreeMap<>(), 1, 1, norm.tile(), norm.ports());
        ElfDescription elf = new Elf().launch("rms_norm", "norm", "rows=1;n=16", "", 1, 1).description();
        assertEquals(List.of("CONSTANT"), limits(new ElfDescription("elf", List.of(without), elf.arguments(), false, 1)));
    }

    @Test
    void an_elf_without_launches_or_with_impossible_arguments_is_refused() {
        assertEquals(List.of("EMPTY_ELF", "LOOP_TILING", "ARGUMENT_SIZE", "ARGUMENT_SIZE"), limits(new ElfDescription("elf", List.of(),
                List.of(new ArgumentDescription("none", 0), new ArgumentDescription("huge", (1L << 32) + 1)), false, 0)));
    }

    @Test
    void two_launches_of_one_name_are_refused() {
        ElfDescription elf = new Elf().gemv(64, 64, 8, 8, 8).description();
        LaunchDescription launch = elf.launches().getFirst();
        assertEquals(List.of("DUPLICATE_LAUNCH"), limits(new ElfDescription("elf", List.of(launch, launch), elf.arguments(), false, 1)));
    }

    @Test
    void two_tilings_under_one_symbol_clash_at_link() {
        Elf clash = new Elf().gemv(64, 64, 8, 8, 8).gemv(64, 64, 4, 4, 8);
        assertEquals(List.of("SYMBOL_CLASH"), clash.limits());
        assertTrue(clash.message("SYMBOL_CLASH").startsWith("symbol redefined at link: 'mv'"), clash.message("SYMBOL_CLASH"));
        assertEquals(List.of("SYMBOL_CLASH"), new Elf().gemv(64, 64, 8, 8, 8).gemv(64, 128, 8, 8, 8).limits());
    }

    @Test
    void two_tilings_under_two_symbols_do_not_clash_nor_one_tiling_twice() {
        assertEquals(List.of(), new Elf().gemv(64, 64, 8, 8, 8).launch("gemv", "mv_4", "m=64;k=64", "tile_m=4;m_input=4", 8, 1).limits());
        assertEquals(List.of(), new Elf().gemv(64, 64, 8, 8, 8).gemv(128, 64, 8, 8, 8).limits());
    }

    @Test
    void two_kernels_under_one_symbol_clash() {
        assertEquals(List.of("SYMBOL_CLASH"), new Elf().launch("rms_norm", "f", "rows=1;n=64", "", 1, 1)
                .launch("eltwise_add", "f", "n=64", "tile_n=16", 1, 1).limits());
    }

    @Test
    void every_blocker_says_why_and_where() {
        for (Blocker blocker : new Elf().gemv(100, 100, 5, 3, 16).blockers()) {
            assertTrue(blocker.cause().length() > 10, blocker.toString());
            assertEquals("gemv0", blocker.launch());
        }
    }
}
