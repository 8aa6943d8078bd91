package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.model.safetensors.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueScanTest {

    private static final String NAME = "w";

    @TempDir Path directory;

    /// One tensor of zeros but for some elements, given by position and bits.
    private ValueScan scan(String dtype, List<Long> shape, Map<Integer, Integer> bits) {
        int width = ElementType.valueOf(dtype).bits() / 8;
        int size = width * shape.stream().reduce(1L, Math::multiplyExact).intValue();
        byte[] file = ModelFolder.safetensors("{\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[0,%d]}}".formatted(NAME, dtype, shape, size), size);
        ByteBuffer data = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).position(file.length - size).slice().order(ByteOrder.LITTLE_ENDIAN);
        bits.forEach((at, value) -> {
            if (width == 2) {
                data.putShort(2 * at, value.shortValue());
            } else {
                data.putInt(4 * at, value);
            }
        });
        new ModelFolder(directory).file("model.safetensors", file);
        return ValueScan.ofFile(directory.resolve("model.safetensors"), (_, _, _) -> { });
    }

    private BadValues only(ValueScan scan) {
        assertEquals(1, scan.bad().size());
        return scan.bad().getFirst();
    }

    @ParameterizedTest
    @CsvSource({"BF16,7fc0,1 0 0,NaN", "BF16,ff81,1 0 0,NaN", "BF16,7f80,0 1 0,Infinity", "BF16,ff80,0 1 0,-Infinity",
        "F16,7e00,1 0 0,NaN", "F16,7c00,0 1 0,Infinity", "F16,fc00,0 1 0,-Infinity",
        "F32,7fc00000,1 0 0,NaN", "F32,7f800001,1 0 0,NaN", "F32,ff800000,0 1 0,-Infinity", "F32,7f7f8000,0 0 1,3.3961775E38", "F32,ff7fffff,0 0 1,-3.4028235E38"})
    void a_bad_value_is_found_with_its_row_and_column(String dtype, String bits, String counts, String value) {
        BadValues found = only(scan(dtype, List.of(4L, 6L), Map.of(3 * 6 + 5, Integer.parseUnsignedInt(bits, 16))));
        assertEquals(List.of(3L, 5L), found.first());
        assertEquals(counts, "%d %d %d".formatted(found.nan(), found.infinite(), found.beyondBf16()));
        assertEquals(value, String.valueOf(found.firstValue()));
        assertEquals(NAME + " model.safetensors " + dtype, found.tensor() + " " + found.file() + " " + found.type());
    }

    @ParameterizedTest
    @CsvSource({"BF16,7f7f", "BF16,ff7f", "BF16,0001", "F16,7bff", "F16,8001", "F32,7f7f7fff", "F32,ff7f7fff", "F32,00000001"})
    void the_largest_and_the_smallest_values_are_none(String dtype, String bits) {
        assertEquals(List.of(), scan(dtype, List.of(4L, 6L), Map.of(7, Integer.parseUnsignedInt(bits, 16))).bad());
    }

    @Test void the_first_of_many_is_named_also_where_the_tensor_is_read_in_parts() {
        int columns = 1024;
        long rows = 3 * 1024 + 1;
        BadValues found = only(scan("BF16", List.of(rows, (long) columns), Map.of(2050 * columns + 7, 0x7f80, 1030 * columns + 9, 0x7fc0, 3072 * columns + 1, 0x7fc0)));
        assertEquals(List.of(1030L, 9L), found.first());
        assertEquals("2 NaN, 1 infinite, first at [1030, 9]", found.text());
    }

    @Test void vectors_and_tensors_of_more_dimensions_have_an_index_too() {
        assertEquals(List.of(9L), only(scan("BF16", List.of(12L), Map.of(9, 0x7fc0))).first());
        assertEquals(List.of(1L, 0L, 3L), only(scan("BF16", List.of(2L, 3L, 4L), Map.of(15, 0x7fc0))).first());
    }

    @Test void what_was_read_and_what_was_not_is_counted() {
        ValueScan read = scan("BF16", List.of(4L, 6L), Map.of());
        assertEquals("1 24 []", "%d %d %s".formatted(read.tensors(), read.values(), read.unread()));
        ValueScan unread = scan("I32", List.of(4L, 6L), Map.of());
        assertEquals(new TreeSet<>(List.of(ElementType.I32)), unread.unread());
        assertEquals(0, unread.tensors());
    }

    @Test void each_tensor_is_told_before_it_is_read() {
        List<String> told = new ArrayList<>();
        ValueScan scan = ValueScan.ofDirectory(Cases.folder("e10/whole"), (index, count, name) -> told.add("%d/%d %s".formatted(index, count, name)));
        assertEquals(scan.tensors(), told.size());
        assertTrue(told.getFirst().startsWith("1/%d ".formatted(told.size())) && told.getLast().startsWith("%d/".formatted(told.size())), told::toString);
        assertEquals(List.of(), scan.bad());
    }
}
