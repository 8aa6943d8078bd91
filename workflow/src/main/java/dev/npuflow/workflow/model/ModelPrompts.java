package dev.npuflow.workflow.model;

import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.file.FileReason;
import dev.npuflow.workflow.file.RegularFile;
import dev.npuflow.workflow.file.SyntaxReason;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The prompts of a model directory: `canonical`, which profiles are taken on, and those that the gate judges.
///
/// They stand in `model.yaml` (`canonical_prompt` or `canonical_prompt_ids`), in `prompts.txt` (one prompt a line, blank lines and lines that
/// begin with `#` left out) or `prompts.ids.json` (an array of arrays of ids). A Hugging Face directory that has none of them gets
/// upstream's canonical prompt and prompts of our own, or fixed ids where there is no tokenizer either.
///
/// @param phaseGate how many of the gate's prompts judge a plan inside a phase: `phase_prompts` of model.yaml, else 2 as upstream's `verify`
/// @param gateSource where the gate's prompts are from: their file, from the directory on, or [#OWN_PROMPTS]
public record ModelPrompts(Prompt canonical, List<Prompt> gate, int phaseGate, String gateSource) {

    /// Prompts of a plain `verify` (reference document §B.1).
    public static final int VERIFY = 2;

    /// Largest prompt file that is read, in bytes.
    static final long MAXIMUM_FILE_BYTES = 1 << 20;

    /// Of a directory that names none.
    public static final String OWN_PROMPTS = "npuflow's own";

    private static final String UPSTREAM_PROMPT = "What is the capital of France?";
    private static final List<String> DEFAULT_PROMPTS = List.of(
            "The river begins in the mountains and", "A good way to learn a language is", "List three uses of copper:",
            "If it rains tomorrow, we will", "The difference between a lake and a sea is", "def add(a, b):",
            "In the year 1850 most people", "Explain why the moon has phases.");

    public ModelPrompts {
        gate = List.copyOf(gate);
    }

    public static ModelPrompts read(LanguageModel model) {
        return read(model.directory(), model.config().vocabSize(), model.tokenizer());
    }

    /// @param vocabulary of the model; ids are below it
    /// @throws NpuflowException NPF-152, NPF-180 to NPF-188
    public static ModelPrompts read(Path directory, int vocabulary, Optional<Tokenizer> tokenizer) {
        JsonNode yaml = readYaml(directory.resolve("model.yaml"));
        GatePrompts judged = gatePrompts(directory, yaml, vocabulary, tokenizer);
        List<Prompt> gate = judged.prompts();
        Prompt canonical;
        if (yaml.hasNonNull("canonical_prompt_ids")) {
            canonical = Prompt.ofIds(ids(yaml.get("canonical_prompt_ids"), directory.resolve("model.yaml"), vocabulary));
        } else if (tokenizer.isPresent()) {
            canonical = encode(tokenizer.get(), yaml.path("canonical_prompt").asString(UPSTREAM_PROMPT));
        } else {
            canonical = gate.getFirst();
        }
        int phaseGate = Math.clamp(yaml.path("phase_prompts").asInt(VERIFY), 1, Math.max(1, gate.size()));
        return new ModelPrompts(canonical, gate, phaseGate, judged.source());
    }

    public static Prompt encode(Tokenizer tokenizer, String text) {
        return new Prompt(IntStream.of(tokenizer.encode(text)).boxed().toList(), text);
    }

    private record GatePrompts(List<Prompt> prompts, String source) {}

    private static GatePrompts gatePrompts(Path directory, JsonNode yaml, int vocabulary, Optional<Tokenizer> tokenizer) {
        String named = yaml.path("prompts").asString("");
        Path file = directory.resolve(named.isEmpty() ? (tokenizer.isPresent() ? "prompts.txt" : "prompts.ids.json") : named).normalize();
        if (!file.startsWith(directory.normalize())) {
            throw NpuflowException.badInput("NPF-180", "model.yaml: prompts (%s)".formatted(named), "a file inside the model directory",
                    "a plain file name such as prompts.txt");
        }
        if (RegularFile.find(file).isPresent()) {
            return new GatePrompts(file.toString().endsWith(".json") ? readIds(file, vocabulary) : readLines(file, tokenizer),
                    directory.normalize().relativize(file).toString().replace('\\', '/'));
        }
        if (!named.isEmpty()) {
            throw NpuflowException.badInput("NPF-181", "model.yaml: prompts (%s)".formatted(named), "an existing file", "creating it");
        }
        return new GatePrompts(tokenizer.map(known -> DEFAULT_PROMPTS.stream().map(text -> encode(known, text)).toList())
                .orElseGet(() -> IntStream.range(1, 9).mapToObj(i ->
                        Prompt.ofIds(IntStream.range(1, 8).map(j -> (int) (7919L * i * j % vocabulary)).toArray())).toList()), OWN_PROMPTS);
    }

    private static List<Prompt> readLines(Path file, Optional<Tokenizer> known) {
        Tokenizer tokenizer = known.orElseThrow(() -> NpuflowException.badInput("NPF-182", file.getFileName().toString(),
                "a tokenizer.json beside a prompt file with text", "prompts.ids.json"));
        List<Prompt> prompts = bounded(file).lines().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(line -> encode(tokenizer, line)).toList();
        return prompts;
    }

    private static List<Prompt> readIds(Path file, int vocabulary) {
        try {
            JsonNode arrays = JsonMapper.shared().readTree(bounded(file));
            List<Prompt> prompts = new ArrayList<>();
            for (JsonNode array : arrays) {
                prompts.add(Prompt.ofIds(ids(array, file, vocabulary)));
            }
            return prompts;
        } catch (JacksonException e) {
            throw NpuflowException.badInput("NPF-183", "%s (%s)".formatted(file.getFileName(), SyntaxReason.of(e)), "an array of arrays of ids",
                    "[[1, 2, 3], [4, 5]]");
        }
    }

    private static int[] ids(JsonNode array, Path file, int vocabulary) {
        boolean allIds = array.isArray() && !array.isEmpty()
                && array.valueStream().allMatch(id -> id.isInt() && id.intValue() >= 0 && id.intValue() < vocabulary);
        if (!allIds) {
            throw NpuflowException.badInput("NPF-184", "%s: prompt %s".formatted(file.getFileName(), shorten(array.toString())),
                    "one or more ids from 0 to %d".formatted(vocabulary - 1), "[1, 2, 3]");
        }
        return array.valueStream().mapToInt(JsonNode::intValue).toArray();
    }

    private static JsonNode readYaml(Path file) {
        if (RegularFile.find(file).isEmpty()) {
            return JsonMapper.shared().createObjectNode();
        }
        try {
            JsonNode node = new YAMLMapper().readTree(bounded(file));
            return node == null || !node.isObject() ? JsonMapper.shared().createObjectNode() : node;
        } catch (JacksonException e) {
            throw NpuflowException.badInput("NPF-185", "model.yaml (%s)".formatted(SyntaxReason.of(e)), "YAML with one key a line",
                    "canonical_prompt: some text");
        }
    }

    private static String bounded(Path file) {
        try {
            if (Files.size(file) > MAXIMUM_FILE_BYTES) {
                throw NpuflowException.badInput("NPF-186", "%s (%d bytes)".formatted(file.getFileName(), Files.size(file)),
                        "at most %d bytes".formatted(MAXIMUM_FILE_BYTES), "fewer prompts");
            }
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw NpuflowException.badInput("NPF-187", "%s (not UTF-8)".formatted(file.getFileName()), "UTF-8 text", "converting the file");
        } catch (IOException e) {
            throw NpuflowException.environment("NPF-188", "%s (%s)".formatted(file.getFileName(), FileReason.of(e)), "a readable file", "its permissions");
        }
    }

    private static String shorten(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() > 60 ? line.substring(0, 60) + "…" : line;
    }
}
