package dev.npuflow.workflow.file;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// What a file is by its first bytes, whatever its name says: what people give instead of the file that is meant.
public enum FileContent {

    LFS_POINTER("a Git LFS pointer, the real file was not fetched", "fetching it again (git lfs pull, or the hub's download command)"),
    WEB_PAGE("a web page saved under this name",
            "fetching it again with the hub's download command (a page comes where an address is wrong or wants a login)"),
    GGUF("a GGUF file", "the safetensors files that it was made from"),
    PYTORCH("a PyTorch checkpoint", "the model's safetensors files, or converting it (safetensors.torch.save_file)"),
    PICKLE("a Python pickle, as old PyTorch checkpoints are", "the model's safetensors files, or converting it (safetensors.torch.save_file)"),
    NUMPY("NumPy arrays", "converting them (safetensors.numpy.save_file)"),
    ONNX("an ONNX model", "the safetensors files that it was made from"),
    HDF5("an HDF5 file, as Keras writes it", "the model's safetensors files"),
    ARCHIVE("a zip archive", "unpacking it"),
    COMPRESSED("a compressed file (gzip)", "unpacking it"),
    TAR("a tar archive", "unpacking it"),
    CONFIGURATION("a config.json", "the directory that it is in"),
    TOKENIZER("a tokenizer.json", "npuflow tokenize with this file"),
    INDEX("an index of shards", "the directory that it is in"),
    JSON("a JSON file", "a .safetensors file, or a model's directory"),
    TEXT("a text file", "a .safetensors file, or a model's directory");

    /// How much of a file is looked at.
    public static final int START = 1 << 16;

    private static final int SHORTEST_TEXT = 16;
    private static final List<String> OF_A_CONFIGURATION = List.of("architectures", "model_type", "hidden_size");
    private static final List<String> OF_A_TOKENIZER = List.of("added_tokens", "pre_tokenizer", "post_processor");

    private final String words;
    private final String remedy;

    FileContent(String words, String remedy) {
        this.words = words;
        this.remedy = remedy;
    }

    /// After "looks like".
    public String words() {
        return words;
    }

    /// After "try".
    public String remedy() {
        return remedy;
    }

    /// Whether a file of this kind is JSON, or may be meant to be.
    boolean isReadableText() {
        return switch (this) {
            case CONFIGURATION, TOKENIZER, INDEX, JSON, TEXT -> true;
            case LFS_POINTER, WEB_PAGE, GGUF, PYTORCH, PICKLE, NUMPY, ONNX, HDF5, ARCHIVE, COMPRESSED, TAR -> false;
        };
    }

    /// @param start the file's first bytes, [#START] of them or all
    /// @return empty for what is none of these, as a safetensors file is
    public static Optional<FileContent> of(byte[] start) {
        String latin = new String(start, StandardCharsets.ISO_8859_1);
        String text = latin.substring(0, Math.min(latin.length(), 64)).stripLeading().toLowerCase(Locale.ROOT);
        if (text.startsWith("version https://git-lfs")) {
            return Optional.of(LFS_POINTER);
        }
        if (text.startsWith("<!doctype") || text.startsWith("<html") || text.startsWith("<?xml")) {
            return Optional.of(WEB_PAGE);
        }
        if (text.startsWith("{") || text.startsWith("[")) {
            return Optional.of(json(start)).filter(_ -> isText(start));
        }
        Optional<FileContent> binary = binary(latin);
        return binary.isPresent() || !isText(start) ? binary : Optional.of(TEXT);
    }

    private static Optional<FileContent> binary(String latin) {
        if (latin.startsWith("GGUF") || latin.startsWith("lmgg") || latin.startsWith("tjgg")) {
            return Optional.of(GGUF);
        }
        if (latin.startsWith("PK\u0003\u0004")) {
            return Optional.of(zip(latin));
        }
        if (latin.startsWith("\u0093NUMPY")) {
            return Optional.of(NUMPY);
        }
        if (latin.startsWith("\u0089HDF\r\n\u001a\n")) {
            return Optional.of(HDF5);
        }
        if (latin.startsWith("\u001f\u008b")) {
            return Optional.of(COMPRESSED);
        }
        if (latin.length() > 262 && latin.startsWith("ustar", 257)) {
            return Optional.of(TAR);
        }
        // A pickle says its protocol first, 2 to 5; a protocol buffer its version (field 1), and then who wrote it (field 2, text).
        if (latin.length() > 2 && latin.charAt(0) == 0x80 && latin.charAt(1) >= 2 && latin.charAt(1) <= 5) {
            return Optional.of(PICKLE);
        }
        boolean version = latin.length() > 8 && latin.charAt(0) == 8 && latin.charAt(1) < 32 && latin.charAt(2) == 0x12 && latin.charAt(3) >= 3;
        return version && latin.substring(4, Math.min(latin.length(), 4 + Math.min(latin.charAt(3), 8))).chars().allMatch(c -> c >= 32 && c < 127) ? Optional.of(ONNX) : Optional.empty();
    }

    /// By the name of the first entry.
    private static FileContent zip(String latin) {
        int length = latin.length() < 30 ? 0 : latin.charAt(26) | latin.charAt(27) << 8;
        String entry = latin.substring(Math.min(30, latin.length()), Math.min(30 + length, latin.length()));
        boolean torch = entry.endsWith("data.pkl") || entry.contains("/data/") || entry.endsWith(".format_version");
        return entry.endsWith(".npy") ? NUMPY : torch ? PYTORCH : ARCHIVE;
    }

    /// By the names of its fields, as far as the start goes.
    private static FileContent json(byte[] start) {
        List<String> names = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), start)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                names.add(parser.currentName());
                parser.nextToken();
                parser.skipChildren();
            }
        } catch (JacksonException cut) {
            // what was read up to here is enough, or there is nothing to tell
        }
        return names.contains("weight_map") ? INDEX : names.stream().anyMatch(OF_A_CONFIGURATION::contains) ? CONFIGURATION
                : names.stream().anyMatch(OF_A_TOKENIZER::contains) ? TOKENIZER : JSON;
    }

    private static boolean isText(byte[] start) {
        byte[] bytes = Arrays.copyOf(start, Math.min(start.length, 512));
        for (byte b : bytes) {
            if (b >= 0 && b < 32 && b != '\n' && b != '\r' && b != '\t') {
                return false;
            }
        }
        return bytes.length >= SHORTEST_TEXT && !new String(bytes, 0, Math.max(0, bytes.length - 4), StandardCharsets.UTF_8).contains("\ufffd");
    }
}
