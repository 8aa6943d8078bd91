package dev.npuflow.workflow.model;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.InputFile;
import dev.npuflow.workflow.file.RegularFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/// A tokenizer.json, run by Hugging Face's own tokenizers library with truncation and padding off, whatever the file asks for. The added tokens that
/// tokenizer_config.json and its older companions state beside it count as transformers counts them.
public final class JsonTokenizer implements Tokenizer, AutoCloseable {

    /// The largest published files are below 40 MB.
    private static final long MAXIMUM_BYTES = 256 << 20;
    private static final Map<String, String> OPTIONS =
            Map.of("truncation", "do_not_truncate", "padding", "do_not_pad", "addSpecialTokens", "true");

    private final String file;
    private final HuggingFaceTokenizer library;

    private JsonTokenizer(String file, HuggingFaceTokenizer library) {
        this.file = file;
        this.library = library;
    }

    /// @throws NpuflowException NPF-101 to NPF-108, NPF-150, NPF-155 naming the file, NPF-151 if the native library cannot be loaded
    public static JsonTokenizer open(Path file) {
        String name = InputFile.name(file);
        TokenizerSyntax syntax = TokenizerSyntax.require(name, InputFile.read(file, MAXIMUM_BYTES));
        AddedTokens added = AddedTokens.beside(file, syntax.addedTokens());
        byte[] json = syntax.with(added.tokens());
        if (!added.tokens().isEmpty()) {
            TokenizerSyntax.require(name, json);
        }
        NativeTokenizers.requireLoaded();
        JsonTokenizer tokenizer = new JsonTokenizer(name, library(file, json));
        try {
            added.requireIds(tokenizer.library);
            return tokenizer;
        } catch (RuntimeException refused) {
            tokenizer.close();
            throw refused;
        }
    }

    private static HuggingFaceTokenizer library(Path file, byte[] json) {
        try {
            return HuggingFaceTokenizer.newInstance(new ByteArrayInputStream(json), OPTIONS);
        } catch (IOException failure) {
            throw RegularFile.unreadable(file, failure);
        } catch (RuntimeException refused) {
            throw refusal("NPF-150", InputFile.name(file), refused, "a tokenizer that the Hugging Face library reads");
        }
    }

    @Override public int[] encode(String text, boolean specialTokens) {
        try {
            return Arrays.stream(library.encode(text, specialTokens, false).getIds()).mapToInt(Math::toIntExact).toArray();
        } catch (RuntimeException refused) {
            throw refusal("NPF-152", file, refused, "text that this tokenizer can encode");
        }
    }

    /// Ids beyond the vocabulary decode to nothing: a padded head can choose them.
    @Override public String decode(int[] ids) {
        for (int id : ids) {
            if (id < 0) {
                throw NpuflowException.badInput("NPF-153", "token id", id, "0 or more", "ids of this tokenizer");
            }
        }
        try {
            return library.decode(Arrays.stream(ids).asLongStream().toArray(), true);
        } catch (RuntimeException refused) {
            throw refusal("NPF-152", file, refused, "ids that this tokenizer can decode");
        }
    }

    private static NpuflowException refusal(String id, String file, RuntimeException refused, String expected) {
        String reason = String.valueOf(refused.getMessage());
        return NpuflowException.badInput(id, "%s is refused".formatted(file), reason.length() > 200 ? reason.substring(0, 200) : reason, expected,
                "the tokenizer.json as it was published");
    }

    @Override public void close() {
        library.close();
    }
}
