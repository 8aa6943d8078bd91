package dev.npuflow.workflow.model.safetensors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.model.Cases;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafetensorsFileTest {

    @TempDir Path directory;

    private static void map(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            SafetensorsFile.map(file, arena);
        }
    }

    private Path written(String header, int dataBytes) {
        byte[] json = header.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return written(ByteBuffer.allocate(8 + json.length + dataBytes).order(ByteOrder.LITTLE_ENDIAN).putLong(json.length).put(json).array());
    }

    private Path written(byte[] bytes) {
        try {
            return Files.write(directory.resolve("hostile.safetensors"), bytes);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private static void assertRefused(String id, String told, Path file) {
        NpuflowException refused = assertThrows(NpuflowException.class, () -> map(file));
        assertEquals(id, refused.id(), refused.getMessage());
        assertTrue(refused.getMessage().contains(told), refused.getMessage());
        assertTrue(refused.getMessage().contains(file.getFileName().toString()), refused.getMessage());
        assertEquals(1, refused.getMessage().lines().count());
    }

    @Test void a_good_file_gives_its_tensors_where_they_lie() {
        try (Arena arena = Arena.ofConfined()) {
            SafetensorsFile file = SafetensorsFile.map(Cases.file("a09/good.safetensors"), arena);
            assertEquals(List.of("lm_head.weight", "model.norm.weight"), file.tensors().stream().map(TensorEntry::name).sorted().toList());
            TensorEntry norm = file.tensors().stream().filter(entry -> entry.name().equals("model.norm.weight")).findFirst().orElseThrow();
            assertEquals(List.of(8L), norm.shape());
            assertTrue(file.data().isReadOnly());
            assertEquals(norm.type().bits() / 8 * 8L, file.bytes(norm).byteSize());
        }
    }

    @ParameterizedTest
    @CsvSource({"payload_short_by_1,NPF-126,(215 bytes): expected 216 bytes", "payload_has_8_extra_bytes,NPF-127,(224 bytes",
            "cut_inside_header,NPF-121,header length (", "only_7_bytes,NPF-120,(7 bytes)", "empty,NPF-120,(0 bytes)", "only_length_word,NPF-121,header length (",
            "html_error_page,NPF-106,looks like a web page", "lfs_pointer,NPF-106,looks like a Git LFS pointer", "header_length_zero,NPF-122,JSON",
            "header_length_one_short,NPF-122,JSON"})
    void a_damaged_file_is_refused_in_one_line(String name, String id, String told) {
        assertRefused(id, told, Cases.file("a09/" + name + ".safetensors"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]},'b':{'dtype':'F32','shape':[2],'data_offsets':[4,12]}}|12|NPF-125|overlaps",
            "{'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]},'b':{'dtype':'F32','shape':[1],'data_offsets':[12,16]}}|16|NPF-125|hole",
            "{'a':{'dtype':'F32','shape':[2],'data_offsets':[8,16]}}|16|NPF-125|hole",
            "{'a':{'dtype':'F32','shape':[3],'data_offsets':[0,8]}}|8|NPF-124|tensor a",
            "{'a':{'dtype':'F32','shape':[2],'data_offsets':[8,0]}}|8|NPF-124|tensor a",
            "{'a':{'dtype':'F4','shape':[3],'data_offsets':[0,1]}}|1|NPF-124|tensor a",
            "{'a':{'dtype':'F32','shape':[4611686018427387904,4],'data_offsets':[0,0]}}|0|NPF-123|expected a size below 2^63 bits",
            "{'a':{'dtype':'U8','shape':[9223372036854775807],'data_offsets':[0,9223372036854775807]}}|0|NPF-123|expected a size below 2^63 bits",
            "{'a':{'dtype':'U8','shape':[1000000000000],'data_offsets':[0,1000000000000]}}|0|NPF-126|past the end",
            "{'a':{'dtype':'F32','shape':[-2],'data_offsets':[0,8]}}|8|NPF-123|shape (-2)",
            "{'a':{'dtype':'F32','shape':[2.0],'data_offsets':[0,8]}}|8|NPF-123|no list of integers",
            "{'a':{'dtype':'F32','shape':[99999999999999999999],'data_offsets':[0,8]}}|8|NPF-123|shape (99999999999999999999)",
            "{'a':{'dtype':'F33','shape':[2],'data_offsets':[0,8]}}|8|NPF-123|dtype (F33)",
            "{'a':{'dtype':4,'shape':[2],'data_offsets':[0,8]}}|8|NPF-123|dtype",
            "{'a':{'shape':[2],'data_offsets':[0,8]}}|8|NPF-123|missing", "{'a':{'dtype':'F32','shape':[2],'data_offsets':[0]}}|8|NPF-123|missing",
            "{'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8],'extra':1}}|8|NPF-123|unknown field", "{'a':[]}|0|NPF-123|no object",
            "{'__metadata__':7}|0|NPF-123|no object", "[]|0|NPF-122|JSON", "{}{}|0|NPF-122|JSON", "{'a':|0|NPF-122|JSON",
            "{'a':{'dtype':'U8','shape':[1],'data_offsets':[0,1]},'a':{'dtype':'U8','shape':[1],'data_offsets':[1,2]}}|2|NPF-128|tensor a stands twice",
            "{'a':{'dtype':'U8','dtype':'U8','shape':[1],'data_offsets':[0,1]}}|1|NPF-123|stands twice"})
    void a_header_that_lies_is_refused(String header, int dataBytes, String id, String told) {
        assertRefused(id, told, written(header, dataBytes));
    }

    @Test void an_empty_tensor_a_scalar_and_metadata_are_no_faults() {
        map(written("{'__metadata__':{'format':'pt'},'e':{'dtype':'F32','shape':[0,4],'data_offsets':[0,0]},"
                + "'s':{'dtype':'F32','shape':[],'data_offsets':[0,4]}}   ", 4));
    }

    @Test void an_odd_header_length_moves_the_data_and_breaks_nothing() {
        try (Arena arena = Arena.ofConfined()) {
            SafetensorsFile file = SafetensorsFile.map(written("{'a':{'dtype':'BF16','shape':[1],'data_offsets':[0,2]}} ", 2), arena);
            assertEquals(0, file.bytes(file.tensors().getFirst()).get(ValueLayout.JAVA_SHORT_UNALIGNED, 0));
        }
    }

    @Test void a_header_said_to_be_larger_than_memory_allocates_nothing() {
        byte[] claim = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN).putLong(Long.MAX_VALUE).array();
        assertRefused("NPF-121", "9223372036854775807", written(claim));
    }

    @Test void a_header_nested_without_end_is_refused() {
        assertRefused("NPF-122", "JSON", written("{'__metadata__':{'a':" + "[".repeat(200_000), 0));
    }

    @Test void a_name_with_a_line_break_stays_in_one_line() {
        assertRefused("NPF-124", "tensor a [31mb", written("{'a\\n\\u001b[31mb':{'dtype':'F32','shape':[3],'data_offsets':[0,8]}}", 8));
    }

    @Test void a_directory_and_a_missing_file_are_refused() {
        assertRefused("NPF-101", "(a directory)", directory);
        assertRefused("NPF-101", "missing", directory.resolve("none.safetensors"));
    }
}
