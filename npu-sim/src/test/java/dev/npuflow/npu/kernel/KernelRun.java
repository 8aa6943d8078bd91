package dev.npuflow.npu.kernel;

import dev.npuflow.npu.kernel.registry.Kernels;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.launch.LaunchDescription.PortBinding;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/// One launch on plain memory, for tests of arithmetic.
public final class KernelRun implements Operands {

    /// What outputs hold before the run.
    public static final short UNTOUCHED = (short) 0x7777;

    private final String kernel;
    private final Map<String, MemorySegment> ports = new TreeMap<>();
    private final TreeMap<String, Integer> shape = new TreeMap<>();
    private final TreeMap<String, Integer> tile = new TreeMap<>();
    private final TreeMap<String, Double> constants = new TreeMap<>();
    private int positions = 1;
    private int herdRows = 1;
    private int threads = 1;

    private KernelRun(String kernel) {
        this.kernel = kernel;
    }

    public static KernelRun of(String kernel) {
        return new KernelRun(kernel);
    }

    public KernelRun shape(String extent, int value) {
        shape.put(extent, value);
        return this;
    }

    public KernelRun tile(String size, int value) {
        tile.put(size, value);
        return this;
    }

    public KernelRun constant(String name, double value) {
        constants.put(name, value);
        return this;
    }

    public KernelRun herdRows(int count) {
        herdRows = count;
        return this;
    }

    public KernelRun positions(int active) {
        positions = active;
        return this;
    }

    public KernelRun threads(int count) {
        threads = count;
        return this;
    }

    public KernelRun in(String port, short... values) {
        ports.put(port, memory(values));
        return this;
    }

    public KernelRun in(String port, int count, IntUnaryOperator bits) {
        short[] values = new short[count];
        for (int i = 0; i < count; i++) {
            values[i] = (short) bits.applyAsInt(i);
        }
        return in(port, values);
    }

    /// Runs it and gives what the output port holds then.
    public short[] out(String port, int count) {
        short[] untouched = new short[count];
        Arrays.fill(untouched, UNTOUCHED);
        ports.put(port, memory(untouched));
        run();
        return ports.get(port).toArray(ValueLayout.JAVA_SHORT_UNALIGNED);
    }

    /// Runs it in place: `port` reads and writes the memory of `source`.
    public short[] inPlace(String port, String source) {
        ports.put(port, ports.get(source));
        run();
        return ports.get(port).toArray(ValueLayout.JAVA_SHORT_UNALIGNED);
    }

    private void run() {
        TreeMap<String, PortBinding> bindings = new TreeMap<>();
        ports.forEach((name, memory) -> bindings.put(name, new PortBinding(0, 0, memory.byteSize() / 2)));
        LaunchDescription launch = new LaunchDescription("launch", new KernelId(kernel), "symbol", shape, constants, 1, herdRows, tile, bindings);
        Kernels.byId(launch.kernel()).orElseThrow().execute(launch, this);
        workers().close();
    }

    private Workers workers;

    @Override
    public MemorySegment port(String name) {
        return ports.get(name);
    }

    @Override
    public int activePositions() {
        return positions;
    }

    @Override
    public Workers workers() {
        if (workers == null) {
            workers = new Workers(threads);
        }
        return workers;
    }

    private static MemorySegment memory(short... values) {
        MemorySegment memory = Arena.ofAuto().allocate(2L * values.length, 64);
        MemorySegment.copy(MemorySegment.ofArray(values), 0, memory, 0, memory.byteSize());
        return memory;
    }

    /// A bf16 of an integer below 257 in magnitude, which is exact.
    public static short whole(int value) {
        return (short) (Float.floatToRawIntBits(value) >>> 16);
    }

    public static short[] whole(int... values) {
        short[] bits = new short[values.length];
        for (int i = 0; i < values.length; i++) {
            bits[i] = whole(values[i]);
        }
        return bits;
    }

    /// A bf16 that is any float cut off.
    public static short cut(double value) {
        return (short) (Float.floatToRawIntBits((float) value) >>> 16);
    }

    public static double value(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /// The nearest bf16 of a double, ties to even, by looking at the two neighbours.
    public static short nearest(double exact) {
        int below = Float.floatToRawIntBits((float) exact) & 0xffff0000;
        double first = Float.intBitsToFloat(below);
        double second = Float.intBitsToFloat(below + 0x10000);
        double toFirst = Math.abs(exact - first);
        double toSecond = Math.abs(exact - second);
        boolean even = (below >>> 16) % 2 == 0;
        return (short) ((toFirst < toSecond || toFirst == toSecond && even ? below : below + 0x10000) >>> 16);
    }

    /// Random bf16, uniform in −1 to 1.
    public static short[] random(long seed, int count) {
        Random random = new Random(seed);
        short[] bits = new short[count];
        for (int i = 0; i < count; i++) {
            bits[i] = cut(2 * random.nextDouble() - 1);
        }
        return bits;
    }
}
