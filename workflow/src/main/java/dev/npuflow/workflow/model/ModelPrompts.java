package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.FileReason;
import dev.npuflow.workflow.file.InputJson;
import dev.npuflow.workflow.file.RegularFile;
import dev.npuflow.workflow.file.SyntaxReason;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// The prompts of a model directory: `canonical`, which profiles are taken on, and those that the gate judges.
///
/// They stand in `model.yaml` (`canonical_prompt` or `canonical_prompt_ids`), in `prompts.txt` (one prompt a line, blank lines and lines that
/// begin with `#` left out) or `prompts.ids.json` (an array of arrays of ids). A Hugging Face directory that has none of them gets
/// upstream's canonical prompt and prompts of our own, or fixed ids where there is no tokenizer either.
///
/// @param phaseGate how many of the gate's prompts judge a plan inside a phase: `phase_prompts` of model.yaml, else as many as [#usual] says
/// @param gateSource where the gate's prompts are from: their file, from the directory on, or [#OWN_PROMPTS]
public record ModelPrompts(Prompt canonical, List<Prompt> gate, int phaseGate, String gateSource) {

    /// Prompts of upstream's plain `verify` (docs/upstream.md, "Gate").
    public static final int VERIFY = 2;

    /// Weights up to which a run of all prompts is a matter of seconds, in bytes of bf16.
    private static final long FEW_WEIGHTS = 200_000_000;

    /// Largest prompt file that is read, in bytes.
    static final long MAXIMUM_FILE_BYTES = 1 << 20;

    /// Of a directory that names none.
    public static final String OWN_PROMPTS = "npuflow's own";

    private static final String ARRAYS = "an array of arrays of ids";
    private static final String EXAMPLE = "[[1, 2, 3], [4, 5]]";
    private static final String UPSTREAM_PROMPT = "What is the capital of France?";
    private static final List<String> DEFAULT_PROMPTS = List.of(
            "The river begins in the mountains and", "A good way to learn a language is", "List three uses of copper:",
            "If it rains tomorrow, we will", "The difference between a lake and a sea is", "def add(a, b):",
            "In the year 1850 most people", "Explain why the moon has phases.");

    public ModelPrompts {
        gate = List.copyOf(gate);
    }

    public static ModelPrompts read(LanguageModel model) {
        return read(model.directory(), model.config(), model.tokenizer());
    }

    /// @throws NpuflowException as [#read(Path, Vocabulary, int, Optional)]
    public static ModelPrompts read(Path directory, ModelConfig config, Optional<Tokenizer> tokenizer) {
        return read(directory, config.vocabulary(), usual(config), tokenizer);
    }

    /// How many prompts judge a plan where model.yaml does not say: all of a model of up to 200 MB, for a fault shows on some prompts only; of a larger one
    /// as many as upstream's `verify` takes.
    ///
    /// @param available prompts that there are
    public static int usual(ModelConfig config, int available) {
        return Math.min(available, usual(config));
    }

    private static int usual(ModelConfig config) {
        return Short.BYTES * TensorShapes.elements(config) <= FEW_WEIGHTS ? Integer.MAX_VALUE : VERIFY;
    }

    /// @param usual how many judge where model.yaml does not say
    /// @throws NpuflowException NPF-152, NPF-154, NPF-180 to NPF-190, NPF-503
    static ModelPrompts read(Path directory, Vocabulary vocabulary, int usual, Optional<Tokenizer> tokenizer) {
        ModelYaml yaml = ModelYaml.read(directory);
        GatePrompts judged = gatePrompts(directory, yaml.prompts(), vocabulary, tokenizer);
        int available = judged.prompts().size();
        int phaseGate = yaml.phasePrompts().map(asked -> asked.among(available, judged.source())).orElse(Math.min(usual, available));
        return new ModelPrompts(canonical(yaml, judged, vocabulary, tokenizer), judged.prompts(), phaseGate, judged.source());
    }

    private static Prompt canonical(ModelYaml yaml, GatePrompts judged, Vocabulary vocabulary, Optional<Tokenizer> tokenizer) {
        if (yaml.canonicalIds().isPresent()) {
            return Prompt.ofIds(vocabulary.of("model.yaml: canonical_prompt_ids", yaml.canonicalIds().get()));
        }
        if (yaml.canonicalPrompt().isPresent()) {
            Tokenizer known = tokenizer.orElseThrow(() -> NpuflowException.badInput("NPF-182", "model.yaml: canonical_prompt",
                    "a tokenizer.json in the model directory", "canonical_prompt_ids: [1, 2, 3]"));
            return encode(known, vocabulary, "model.yaml: canonical_prompt", yaml.canonicalPrompt().get());
        }
        return tokenizer.map(known -> own(known, vocabulary, UPSTREAM_PROMPT)).orElseGet(() -> judged.prompts().getFirst());
    }

    /// @param source of the text, as a message begins
    /// @throws NpuflowException NPF-152, NPF-154, NPF-503 if the model cannot read what the tokenizer makes of it
    public static Prompt encode(Tokenizer tokenizer, Vocabulary vocabulary, String source, String text) {
        return new Prompt(IntStream.of(vocabulary.ofText(source, tokenizer.encode(text))).boxed().toList(), text);
    }

    private static Prompt own(Tokenizer tokenizer, Vocabulary vocabulary, String text) {
        return encode(tokenizer, vocabulary, "npuflow's own prompt \"%s\"".formatted(text), text);
    }

    private record GatePrompts(List<Prompt> prompts, String source) {}

    private static Path inside(Path directory, String named) {
        try {
            Path file = directory.resolve(named).normalize();
            if (file.startsWith(directory.normalize())) {
                return file;
            }
        } catch (InvalidPathException noPath) {
            // as one that leads elsewhere
        }
        throw NpuflowException.badInput("NPF-180", "model.yaml: prompts", named, "a file inside the model directory", "a plain file name such as prompts.txt");
    }

    private static GatePrompts gatePrompts(Path directory, Optional<String> asked, Vocabulary vocabulary, Optional<Tokenizer> tokenizer) {
        String named = asked.orElse("");
        Path file = inside(directory, named.isEmpty() ? (tokenizer.isPresent() ? "prompts.txt" : "prompts.ids.json") : named);
        if (RegularFile.find(file).isPresent()) {
            return new GatePrompts(file.toString().endsWith(".json") ? readIds(file, vocabulary) : readLines(file, vocabulary, tokenizer),
                    directory.normalize().relativize(file).toString().replace('\\', '/'));
        }
        if (!named.isEmpty()) {
            throw NpuflowException.badInput("NPF-181", "model.yaml: prompts", named, "an existing file", "creating it");
        }
        return new GatePrompts(tokenizer.map(known -> DEFAULT_PROMPTS.stream().map(text -> own(known, vocabulary, text)).toList())
                .orElseGet(() -> IntStream.range(1, 9).mapToObj(i ->
                        Prompt.ofIds(IntStream.range(1, 8).map(j -> (int) (7919L * i * j % vocabulary.size())).toArray())).toList()), OWN_PROMPTS);
    }

    private static List<Prompt> readLines(Path file, Vocabulary vocabulary, Optional<Tokenizer> known) {
        Tokenizer tokenizer = known.orElseThrow(() -> NpuflowException.badInput("NPF-182", file.getFileName().toString(),
                "a tokenizer.json beside a prompt file with text", "prompts.ids.json"));
        List<String> lines = text(file, MAXIMUM_FILE_BYTES).lines().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
        return numbered(file, lines, (source, line) -> encode(tokenizer, vocabulary, source, line));
    }

    /// Prompts count from 1.
    private static <T> List<Prompt> numbered(Path file, List<T> entries, BiFunction<String, T, Prompt> reading) {
        if (entries.isEmpty()) {
            throw NpuflowException.badInput("NPF-189", file.getFileName().toString(), "no prompt", "one or more prompts", "a prompt a line, or an array of ids");
        }
        return IntStream.range(0, entries.size()).mapToObj(i -> reading.apply("%s, prompt %d".formatted(file.getFileName(), i + 1), entries.get(i))).toList();
    }

    private static List<Prompt> readIds(Path file, Vocabulary vocabulary) {
        try {
            JsonNode arrays = InputJson.read(text(file, MAXIMUM_FILE_BYTES));
            if (!arrays.isArray()) {
                throw NpuflowException.badInput("NPF-183", file.getFileName().toString(), "no array", ARRAYS, EXAMPLE);
            }
            return numbered(file, arrays.valueStream().toList(), (source, array) -> Prompt.ofIds(vocabulary.of(source, array)));
        } catch (JacksonException e) {
            throw NpuflowException.badInput("NPF-183", file.getFileName().toString(), SyntaxReason.of(e), ARRAYS, EXAMPLE);
        }
    }

    /// Of a file that people write.
    ///
    /// @throws NpuflowException NPF-186 where it is too large, NPF-187 where it is not UTF-8, NPF-188 where it cannot be read
    static String text(Path file, long maximumBytes) {
        try {
            if (Files.size(file) > maximumBytes) {
                throw NpuflowException.badInput("NPF-186", file.getFileName().toString(), "%d bytes".formatted(Files.size(file)),
                        "at most %d bytes".formatted(maximumBytes), "fewer prompts");
            }
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw NpuflowException.badInput("NPF-187", file.getFileName().toString(), "not UTF-8", "UTF-8 text", "converting the file");
        } catch (IOException e) {
            throw NpuflowException.environment("NPF-188", file.getFileName().toString(), FileReason.of(e), "a readable file", "its permissions");
        }
    }
}
