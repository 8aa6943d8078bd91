package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.FileContent;
import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Files that people give instead of a safetensors file, each by the first bytes that its format prescribes.
class FileContentTest {

    @TempDir Path directory;

    private static byte[] sample(FileContent content) throws IOException {
        return switch (content) {
            case LFS_POINTER -> Files.readAllBytes(Cases.file("a09/lfs_pointer.safetensors"));
            case WEB_PAGE -> Files.readAllBytes(Cases.file("a09/html_error_page.safetensors"));
            case GGUF -> bytes("47475546 03000000 7b00000000000000 1700000000000000");
            case PYTORCH -> zip("archive/data.pkl");
            case PICKLE -> bytes("80028a0a6cfc9c46f9206aa850192e80024de903");
            case NUMPY -> zip("model.embed_tokens.weight.npy");
            case ONNX -> bytes("0808 1207 7079746f726368 1a05322e352e31 3ab0c2010a");
            case HDF5 -> bytes("894844460d0a1a0a 0000000000080800 0400100000000000");
            case ARCHIVE -> zip("model.safetensors");
            case COMPRESSED -> gzip();
            case TAR -> tar();
            case CONFIGURATION -> Files.readAllBytes(Cases.file("a01/tiny/config.json"));
            case TOKENIZER -> Files.readAllBytes(Cases.file("a01/tiny/tokenizer.json"));
            case INDEX -> text("{\"metadata\": {\"total_size\": 2471645608}, \"weight_map\": {\"model.norm.weight\": \"model-00001-of-00002.safetensors\"}}");
            case JSON -> text("[{\"prompt\": \"Who was Noah?\"}]");
            case TEXT -> text("# SmolLM2\n\nA family of compact language models: größer ist nicht besser.\n");
        };
    }

    @ParameterizedTest @EnumSource void what_is_no_safetensors_file_is_named_with_what_to_do(FileContent content) throws IOException {
        assertEquals(Optional.of(content), FileContent.of(sample(content)));
        Path file = Files.write(directory.resolve("model.safetensors"), sample(content));
        try (Arena arena = Arena.ofConfined()) {
            NpuflowException refused = assertThrows(NpuflowException.class, () -> SafetensorsFile.map(file, arena));
            assertEquals("NPF-106 model.safetensors (looks like %s): expected a safetensors file; try %s".formatted(content.words(), content.remedy()),
                    refused.getMessage());
        }
    }

    @Test void other_spellings_of_the_same_formats_are_known_too() throws IOException {
        Map<String, FileContent> spellings = new TreeMap<>(Map.of("93 4e554d5059 0100 7600 7b", FileContent.NUMPY, "6c6d6767 01000000", FileContent.GGUF,
                "8004950b00000000000000", FileContent.PICKLE));
        for (var spelling : spellings.entrySet()) {
            assertEquals(Optional.of(spelling.getValue()), FileContent.of(bytes(spelling.getKey())), spelling.getKey());
        }
        assertEquals(Optional.of(FileContent.PYTORCH), FileContent.of(zip("pytorch_model/.format_version")));
        assertEquals(Optional.of(FileContent.WEB_PAGE), FileContent.of(text("\n  <HTML><head><title>401</title>")));
    }

    @Test void a_safetensors_file_is_taken_for_none_of_them_whatever_its_length_word_spells() throws IOException {
        assertEquals(Optional.empty(), FileContent.of(Files.readAllBytes(Cases.file("a09/good.safetensors"))));
        // 8 + 0x12 · 65536 bytes of header: the first three bytes are those of an ONNX model, and of 31 and 139 those of gzip
        for (int length : new int[] {0x120808, 0x8b1f, '{', 0x0280}) {
            byte[] header = Arrays.copyOf(text("{\"__metadata__\":{}"), length);
            Arrays.fill(header, 18, length - 1, (byte) ' ');
            header[length - 1] = '}';
            Path file = Files.write(directory.resolve("large.safetensors"), ModelFolder.safetensors(new String(header, StandardCharsets.UTF_8), 0));
            try (Arena arena = Arena.ofConfined()) {
                assertEquals(List.of(), SafetensorsFile.map(file, arena).tensors(), "header of " + length);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"cut_inside_header,NPF-121", "only_7_bytes,NPF-120", "empty,NPF-120", "only_length_word,NPF-121", "header_length_one_short,NPF-122"})
    void a_broken_safetensors_file_is_still_called_broken(String name, String id) {
        try (Arena arena = Arena.ofConfined()) {
            assertEquals(id, assertThrows(NpuflowException.class, () -> SafetensorsFile.map(Cases.file("a09/" + name + ".safetensors"), arena)).id());
        }
    }

    @Test void json_is_what_a_json_file_may_be_and_weights_are_not() throws IOException {
        Files.write(directory.resolve("config.json"), sample(FileContent.GGUF));
        String refused = assertThrows(NpuflowException.class, () -> ConfigReader.read(directory)).getMessage();
        assertTrue(refused.startsWith("NPF-106 config.json (looks like a GGUF file): expected JSON; try"), refused);
        Files.write(directory.resolve("config.json"), sample(FileContent.CONFIGURATION));
        assertTrue(ConfigReader.read(directory).supported());
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] zip(String entry) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(1);
        }
        return bytes.toByteArray();
    }

    private static byte[] gzip() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(1);
        }
        return bytes.toByteArray();
    }

    private static byte[] tar() {
        byte[] block = Arrays.copyOf(text("model/"), 512);
        System.arraycopy(text("ustar"), 0, block, 257, 5);
        return block;
    }
}
