package dev.npuflow.npu.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.compiler.Executable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BufferObjectTest {

    private static final int A = 0;
    private static final int B = 1;
    private static final int OUT = 2;

    private final NpuRuntime npu = Bench.runtime();
    private final Executable sum = Bench.additions("sum", 3, new int[] {A, B, OUT});
    private final BufferObject a = npu.allocate("a", 128);
    private final BufferObject b = npu.allocate("b", 128);
    private final BufferObject out = npu.allocate("out", 128);

    @AfterEach
    void close() {
        npu.close();
    }

    private void run() {
        npu.run(npu.load(sum), List.of(a, b, out), 4).completed();
    }

    private double result() {
        out.syncFromDevice();
        return Bench.first(out);
    }

    @Test
    void what_is_written_and_synced_is_computed_with() {
        Bench.upload(a, 3);
        Bench.upload(b, 4);
        run();
        assertEquals(7, result());
        assertEquals(7, Bench.last(out));
    }

    @Test
    void a_bo_that_was_not_synced_keeps_its_old_bytes() {
        Bench.upload(a, 3);
        Bench.upload(b, 4);
        run();
        b.write(Bench.all(10));
        run();
        assertEquals(7, result());
        b.syncToDevice();
        run();
        assertEquals(13, result());
    }

    @Test
    void a_buffer_shared_by_two_layers_holds_the_last_write_for_both() {
        BufferObject weights = npu.allocate("weights of both layers", 128);
        Bench.upload(a, 1);
        Bench.upload(weights, 10);
        Bench.upload(weights, 20);
        npu.run(npu.load(sum), List.of(a, weights, out), 4).completed();
        assertEquals(21, result());
    }

    @Test
    void an_output_that_is_not_synced_back_stays_as_it_was_on_the_host() {
        Bench.upload(a, 3);
        Bench.upload(b, 4);
        run();
        assertEquals(0, Bench.first(out));
        assertEquals(7, result());
        Bench.upload(a, 5);
        run();
        assertEquals(7, Bench.first(out));
    }

    @Test
    void what_an_output_held_before_does_not_matter() {
        Bench.upload(a, 3);
        Bench.upload(b, 4);
        for (int fill : new int[] {0, 99, -1}) {
            Bench.upload(out, fill);
            run();
            assertEquals(7, result());
        }
    }

    @Test
    void a_late_sync_of_a_filled_output_overwrites_the_result() {
        Bench.upload(a, 3);
        Bench.upload(b, 4);
        out.write(Bench.all(99));
        run();
        out.syncToDevice();
        assertEquals(99, result());
    }

    @Test
    void a_late_sync_of_an_output_never_written_on_the_host_overwrites_it_with_zeros() {
        Bench.upload(a, 3);
        Bench.upload(b, 4);
        run();
        out.syncToDevice();
        assertEquals(0, result());
    }

    @Test
    void device_memory_that_nobody_wrote_is_garbage_and_the_same_garbage_each_time() {
        Bench.upload(a, 0);
        run();
        double garbage = result();
        assertNotEquals(0, garbage);
        assertTrue(Double.isFinite(garbage));
        try (NpuRuntime other = Bench.runtime()) {
            BufferObject otherA = other.allocate("a", 128);
            BufferObject otherB = other.allocate("b", 128);
            BufferObject otherOut = other.allocate("out", 128);
            Bench.upload(otherA, 0);
            other.run(other.load(sum), List.of(otherA, otherB, otherOut), 4).completed();
            otherOut.syncFromDevice();
            assertArrayEquals(out.host().toArray(ValueLayout.JAVA_BYTE), otherOut.host().toArray(ValueLayout.JAVA_BYTE));
        }
    }

    @Test
    void a_fresh_output_that_no_launch_wrote_is_read_back_as_garbage() {
        assertNotEquals(0, result());
        assertNotEquals(0, Bench.last(out));
    }

    @Test
    void a_synced_buffer_never_written_is_zeros_on_the_device() {
        a.syncToDevice();
        Bench.upload(b, 4);
        run();
        assertEquals(4, result());
    }

    @Test
    void a_shorter_write_replaces_only_the_leading_bytes() {
        Bench.upload(a, 3);
        Bench.upload(b, 4);
        a.write(Bench.all(8).asSlice(0, 64));
        a.syncToDevice();
        run();
        assertEquals(12, result());
        assertEquals(7, Bench.last(out));
    }

    @Test
    void rows_beyond_the_active_positions_are_not_computed() {
        Bench.upload(a, 3);
        Bench.upload(b, 4);
        Bench.upload(out, 99);
        npu.run(npu.load(sum), List.of(a, b, out), 1).completed();
        assertEquals(7, result());
        assertEquals(99, Bench.last(out));
    }

    @Test
    void immutable_memory_is_computed_with_and_never_written() {
        MemorySegment mapped = Arena.ofAuto().allocate(128).copyFrom(Bench.all(3));
        a.writeImmutable(mapped.asReadOnly());
        a.syncToDevice();
        Bench.upload(b, 4);
        Executable accumulate = Bench.additions("accumulate", 2, new int[] {A, B, A});
        npu.run(npu.load(accumulate), List.of(a, b), 4).completed();
        npu.run(npu.load(accumulate), List.of(a, b), 4).completed();
        a.syncFromDevice();
        assertEquals(11, Bench.first(a));
        assertArrayEquals(Bench.all(3).toArray(ValueLayout.JAVA_BYTE), mapped.toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void a_write_over_immutable_memory_goes_to_a_copy() {
        MemorySegment mapped = Arena.ofAuto().allocate(128).copyFrom(Bench.all(3));
        a.writeImmutable(mapped.asReadOnly());
        a.write(Bench.all(8).asSlice(0, 64));
        assertEquals(8, Bench.first(a));
        assertEquals(3, Bench.last(a));
        assertArrayEquals(Bench.all(3).toArray(ValueLayout.JAVA_BYTE), mapped.toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void immutable_memory_not_synced_is_not_seen_by_the_device() {
        Bench.upload(a, 1);
        Bench.upload(b, 4);
        a.writeImmutable(Arena.ofAuto().allocate(128).copyFrom(Bench.all(3)).asReadOnly());
        run();
        assertEquals(5, result());
    }

    @Test
    void the_host_view_cannot_be_written() {
        assertThrows(IllegalArgumentException.class, () -> a.host().set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
    }

    @Test
    void times_are_those_of_whole_buffers() {
        a.write(Bench.all(1).asSlice(0, 2));
        assertEquals(10 * 128, a.syncToDevice());
        assertEquals(128, a.syncFromDevice());
        assertEquals(128, a.syncFromDevice(2));
        a.writeImmutable(Bench.all(3));
        assertEquals(10 * 128, a.syncToDevice());
    }

    @Test
    void padding_takes_no_room_until_it_is_touched() {
        Blocks blocks = new Blocks(1L << 32);
        assertEquals(65_536, blocks.count());
        blocks.mark(0, 65_537);
        assertTrue(blocks.isMarked(1));
        assertFalse(blocks.isMarked(2));
        // Four GiB on both sides, of which two bytes are used: this would not fit if it were all written.
        BufferObject large = npu.allocate("large", 1L << 32);
        large.write(Bench.all(5).asSlice(0, 2));
        large.syncToDevice();
        large.syncFromDevice(2);
        assertEquals(5, Bench.first(large));
    }

    @Test
    void a_wrong_size_is_named() {
        assertEquals("NPF-401", assertThrows(NpuflowException.class, () -> a.write(MemorySegment.ofArray(new byte[129]))).id());
        assertEquals("NPF-401", assertThrows(NpuflowException.class, () -> a.writeImmutable(MemorySegment.ofArray(new byte[127]))).id());
        assertEquals("NPF-401", assertThrows(NpuflowException.class, () -> a.syncFromDevice(129)).id());
        assertEquals("NPF-400", assertThrows(NpuflowException.class, () -> npu.allocate("none", 0)).id());
        assertEquals("NPF-400", assertThrows(NpuflowException.class, () -> npu.allocate("huge", (1L << 32) + 1)).id());
    }
}
