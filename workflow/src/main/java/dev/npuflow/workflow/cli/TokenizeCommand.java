package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.model.ConfigReader;
import dev.npuflow.workflow.model.JsonTokenizer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Text to ids and back, exactly as `generate --prompt` and its output do it.
@Command(name = "tokenize", mixinStandardHelpOptions = true, description = "Turn text into token ids, or ids into text.")
public final class TokenizeCommand implements Callable<Integer> {

    @Spec private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "DIR|FILE", description = "A Hugging Face directory, a model of the tree, or a tokenizer.json.")
    private @Nullable Path path;

    @Option(names = "--text", paramLabel = "T", parameterConsumer = AnyText.class,
            description = "Text; gets what the tokenizer's post-processor adds, such as BOS.")
    private @Nullable String text;

    @Option(names = "--ids", paramLabel = "1,2,3", split = ",", description = "Token ids; special tokens are left out of the text.")
    private int @Nullable [] ids;

    @Option(names = "--no-special-tokens", description = "Add nothing: for text that spells its special tokens itself.")
    private boolean noSpecialTokens;

    @Mixin private Output output;

    @Override public Integer call() {
        if ((text == null) == (ids == null)) {
            throw NpuflowException.badInput("NPF-807", text == null ? "tokenize without --text and --ids" : "--text and --ids", "one of them",
                    text == null ? "--text 'In the beginning'" : "leaving one out");
        }
        Path file = file(Objects.requireNonNull(path));
        try (JsonTokenizer tokenizer = JsonTokenizer.open(file)) {
            if (text != null) {
                int[] encoded = tokenizer.encode(text, !noSpecialTokens);
                warn(file.resolveSibling("config.json"), encoded);
                output.show(out -> out.layout(Arrays.stream(encoded).mapToObj(String::valueOf).collect(Collectors.joining(","))),
                        () -> Map.of("ids", encoded));
            } else {
                String decoded = tokenizer.decode(Objects.requireNonNull(ids));
                output.show(out -> out.layout(decoded), () -> Map.of("text", decoded));
            }
        }
        return 0;
    }

    private static Path file(Path given) {
        if (Files.isDirectory(given)) {
            return given.resolve("tokenizer.json");
        }
        return Files.exists(given) ? given : ModelLocator.directory(given.toString()).resolve("tokenizer.json");
    }

    /// The ids are what the tokenizer makes of the text; that the model beside it has no row for one of them is worth a word, but no reason to keep them back.
    private void warn(Path config, int[] encoded) {
        OptionalInt rows = rows(config);
        Arrays.stream(encoded).filter(id -> rows.isPresent() && id >= rows.getAsInt()).findFirst().ifPresent(id -> Objects.requireNonNull(spec).commandLine().getErr()
                .println("warning: token id %d is beyond the %d rows of the embedding; what runs this model refuses it".formatted(id, rows.getAsInt())));
    }

    private static OptionalInt rows(Path config) {
        try {
            return ConfigReader.readFile(config).vocabSize();
        } catch (NpuflowException noModel) {
            return OptionalInt.empty();
        }
    }
}
