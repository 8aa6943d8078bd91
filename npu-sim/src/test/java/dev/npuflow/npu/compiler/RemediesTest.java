package dev.npuflow.npu.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.KernelSignature.Port;
import dev.npuflow.npu.kernel.registry.Kernels;
import dev.npuflow.npu.kernel.rmsnorm.RmsNormKernel;
import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.ElfDescription.ArgumentDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.launch.LaunchDescription.PortBinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whatever keeps a launch from its place says what to do, in a sentence. Every limit that a source file names is met here at least once.
class RemediesTest {

    private static final Path SOURCES = Path.of(System.getProperty("npuflow.root"), "npu-sim/src/main/java");
    private static final Pattern ID = Pattern.compile("\\b(?:limit|divides|block|Blocker)\\(\"([A-Z0-9_]+)\",");
    private static final Pattern SENTENCE = Pattern.compile("(Use|Pad|Give|Put|Switch|Compute|Make|Cut|State|Bind|Leave|Rotate) [^%]{3,}[^. ]\\.");
    private static final int[] SIZES = {1, 2, 3, 4, 6, 8, 16, 17, 24, 32, 48, 64, 100, 128, 192, 256, 512, 1000, 1024, 2048, 2560, 4096, 8192, 11008, 131072, 1 << 24};
    private static final int LAUNCHES = 8_000;

    /// A kernel, and the file with its limits on the array.
    @ParameterizedTest
    @CsvSource({
        "gemv, gemv/GemvLimits", "gemv_add, gemv/GemvAddLimits", "gemv_swiglu_rms, gemv/GemvSwigluRmsLimits", "gemm, gemm/GemmLimits",
        "rms_norm, rows/RmsNormLimits", "bias_add, rows/BiasAddLimits", "rope, rows/RopeLimits", "eltwise_add, elementwise/ElementwiseLimits",
        "silu_mul, elementwise/ElementwiseLimits", "flash_attention, attention/FlashAttentionLimits",
    })
    void every_limit_of_a_kernel_says_what_to_do(String id, String limits) throws IOException {
        Set<String> met = new TreeSet<>();
        Random random = new Random(id.hashCode());
        Kernel kernel = Kernels.byId(new KernelId(id)).orElseThrow();
        for (int i = 0; i < LAUNCHES; i++) {
            collect(met, Compiler.compile(elf(launch(kernel, random), random), Elf.NPU2));
        }
        Set<String> named = ids(SOURCES.resolve("dev/npuflow/npu/aie").resolve(limits + ".java"));
        assertFalse(named.isEmpty());
        named.removeAll(met);
        assertEquals(Set.of(), named, "limits that no launch of this test breaks");
    }

    @Test void no_kernel_is_left_out() throws NoSuchMethodException {
        String cases = String.join(" ", RemediesTest.class.getDeclaredMethod("every_limit_of_a_kernel_says_what_to_do", String.class, String.class)
                .getAnnotation(CsvSource.class).value());
        Kernels.all().keySet().forEach(id -> assertTrue(cases.contains(id + ", "), id::value));
    }

    @Test void what_is_wrong_with_an_elf_or_with_what_a_launch_states_says_what_to_do() throws IOException {
        Set<String> met = new TreeSet<>();
        ElfDescription good = new Elf().gemv(64, 64, 8, 8, 8).description();
        LaunchDescription gemv = good.launches().getFirst();
        List<ElfDescription> wrong = new ArrayList<>(List.of(
                new ElfDescription("elf", List.of(), List.of(new ArgumentDescription("none", 0)), false, 0),
                new ElfDescription("elf", List.of(gemv, gemv), good.arguments(), false, 1),
                new Elf().gemv(64, 64, 8, 8, 8).gemv(64, 64, 4, 4, 8).description()));
        for (LaunchDescription launch : List.of(
                changed(gemv, "no_such_kernel", gemv.shape(), gemv.tile(), gemv.ports(), 8),
                changed(gemv, "gemv", map("m", 64, "wide", 3), map("tile_m", 8, "high", 3), gemv.ports(), 0),
                changed(gemv, "gemv", map("m", 0, "k", 64), gemv.tile(), new TreeMap<>(Map.of("odd", new PortBinding(0, 0, 1))), 8),
                changed(gemv, "gemv", gemv.shape(), gemv.tile(), bound(gemv, binding -> new PortBinding(binding.argument(), 0, binding.elements() + 1)), 8),
                changed(gemv, "gemv", gemv.shape(), gemv.tile(), bound(gemv, binding -> new PortBinding(7, 0, binding.elements())), 8),
                changed(gemv, "gemv", gemv.shape(), gemv.tile(), bound(gemv, binding -> new PortBinding(binding.argument(), 1, binding.elements())), 8),
                changed(gemv, "gemv", map("m", 1 << 20, "k", 1 << 20), gemv.tile(), gemv.ports(), 8))) {
            wrong.add(new ElfDescription("elf", List.of(launch), good.arguments(), false, 1));
        }
        LaunchDescription norm = new Elf().launch("rms_norm", "norm", "rows=4;n=16;positions=3", "", 1, 1).description().launches().getFirst();
        wrong.add(new ElfDescription("elf", List.of(norm), List.of(new ArgumentDescription("a", 128), new ArgumentDescription("b", 32), new ArgumentDescription("c", 128)), false, 1));
        wrong.add(new ElfDescription("elf", List.of(new LaunchDescription("norm", RmsNormKernel.ID, "norm", norm.shape(), new TreeMap<>(), 1, 1, norm.tile(), norm.ports())),
                good.arguments(), false, 1));
        LaunchDescription odd = new Elf().gemv(63, 64, 7, 7, 9).description().launches().getFirst();
        wrong.add(new ElfDescription("elf", List.of(odd), new Elf().gemv(63, 64, 7, 7, 9).description().arguments(), false, 1));
        wrong.add(new ElfDescription("elf", List.of(changed(gemv, "gemv", gemv.shape(), gemv.tile(), gemv.ports(), 8)),
                good.arguments().stream().map(argument -> new ArgumentDescription(argument.name(), argument.bytes() + 2)).toList(), false, 1));
        wrong.forEach(elf -> collect(met, Compiler.compile(elf, Elf.NPU2)));
        Set<String> named = named(SOURCES.resolve("dev/npuflow/npu/compiler"));
        named.addAll(Set.of("MISSING_SHAPE", "MISSING_TILE", "UNKNOWN_SHAPE", "UNKNOWN_TILE"));
        named.removeAll(met);
        assertEquals(Set.of(), named, "faults that no ELF of this test has");
    }

    private static void collect(Set<String> met, Compilation compilation) {
        for (Blocker blocker : Elf.blockers(compilation)) {
            met.add(blocker.limit());
            assertTrue(SENTENCE.matcher(blocker.remedy()).matches(), blocker::toString);
        }
    }

    private static Set<String> named(Path packageDirectory) throws IOException {
        Set<String> ids = new TreeSet<>();
        try (Stream<Path> files = Files.list(packageDirectory)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                ids.addAll(ids(file));
            }
        }
        return ids;
    }

    private static Set<String> ids(Path file) throws IOException {
        return ID.matcher(Files.readString(file)).results().map(found -> found.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static LaunchDescription launch(Kernel kernel, Random random) {
        KernelSignature signature = kernel.signature();
        TreeMap<String, Integer> shape = new TreeMap<>();
        signature.shape().forEach(extent -> shape.put(extent, size(random)));
        signature.optionalShape().stream().filter(_ -> random.nextInt(3) == 0).forEach(extent -> shape.put(extent, size(random)));
        TreeMap<String, Integer> tile = new TreeMap<>();
        Elf.NPU2.tileSizes(kernel.id()).forEach(name -> tile.put(name, size(random)));
        TreeMap<String, Double> constants = new TreeMap<>();
        signature.constants().forEach(name -> constants.put(name, 1e-5));
        TreeMap<String, PortBinding> ports = new TreeMap<>();
        for (Port port : signature.ports()) {
            ports.put(port.name(), new PortBinding(ports.size(), 0, elements(port, shape)));
        }
        return new LaunchDescription("launch", kernel.id(), "symbol", shape, constants, 1 + random.nextInt(9), 1 + random.nextInt(5), tile, ports);
    }

    private static int size(Random random) {
        return SIZES[random.nextInt(SIZES.length)];
    }

    private static long elements(Port port, TreeMap<String, Integer> shape) {
        try {
            return port.elements().applyAsLong(shape);
        } catch (ArithmeticException tooMany) {
            return Long.MAX_VALUE;
        }
    }

    private static ElfDescription elf(LaunchDescription launch, Random random) {
        List<ArgumentDescription> arguments = launch.ports().values().stream().sorted((a, b) -> Integer.compare(a.argument(), b.argument()))
                .map(binding -> new ArgumentDescription("a" + binding.argument(), Math.min(1L << 32, 2 * Math.min(binding.elements(), 1L << 40)))).toList();
        return new ElfDescription("elf", List.of(launch), arguments, random.nextBoolean(), 1 << random.nextInt(5));
    }

    private static LaunchDescription changed(LaunchDescription launch, String kernel, SortedMap<String, Integer> shape, SortedMap<String, Integer> tile,
            SortedMap<String, PortBinding> ports, int columns) {
        return new LaunchDescription(launch.name(), new KernelId(kernel), launch.symbol(), shape, launch.constants(), columns, 1, tile, ports);
    }

    private static TreeMap<String, PortBinding> bound(LaunchDescription launch, UnaryOperator<PortBinding> change) {
        TreeMap<String, PortBinding> ports = new TreeMap<>();
        launch.ports().forEach((port, binding) -> ports.put(port, change.apply(binding)));
        return ports;
    }

    private static TreeMap<String, Integer> map(String first, int firstValue, String second, int secondValue) {
        return new TreeMap<>(Map.of(first, firstValue, second, secondValue));
    }
}
