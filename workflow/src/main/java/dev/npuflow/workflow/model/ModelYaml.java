package dev.npuflow.workflow.model;

import dev.npuflow.fault.NearestName;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.RegularFile;
import dev.npuflow.workflow.file.SyntaxReason;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// `model.yaml`, read strictly: what is no field of it, or no value of its field, is a fault that names file, line and field. A misspelt field would else run
/// the default without a word.
///
/// @param name            how the model is called; `inspect` shows it
/// @param canonicalPrompt text
/// @param canonicalIds    an array of integers instead
/// @param prompts         name of the file with the gate's prompts
/// @param phasePrompts    how many of them judge a plan inside a phase
/// @param notes           one line about the model; `inspect` shows it
public record ModelYaml(Optional<String> name, Optional<String> canonicalPrompt, Optional<JsonNode> canonicalIds, Optional<String> prompts,
        Optional<PhasePrompts> phasePrompts, Optional<String> notes) {

    static final String FILE = "model.yaml";

    /// The fields, in the order in which a fault lists them.
    private static final String NAME = "name";
    private static final String CANONICAL_PROMPT = "canonical_prompt";
    private static final String CANONICAL_PROMPT_IDS = "canonical_prompt_ids";
    private static final String PROMPTS = "prompts";
    private static final String PHASE_PROMPTS = "phase_prompts";
    private static final String NOTES = "notes";
    private static final List<String> FIELDS = List.of(NAME, CANONICAL_PROMPT, CANONICAL_PROMPT_IDS, PROMPTS, PHASE_PROMPTS, NOTES);

    /// A few lines of text. The YAML reader's memory grows with the square of a line's length.
    private static final long MAXIMUM_BYTES = 64 << 10;

    private static final int SHOWN = 60;
    private static final YAMLMapper MAPPER = YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    /// Of a directory; all empty where it has no such file.
    ///
    /// @throws NpuflowException NPF-185 where the file is no YAML, NPF-190 for a field or a value that it does not have, NPF-186 to NPF-188 where it cannot be read
    public static ModelYaml read(Path directory) {
        SequencedMap<String, Field> fields = RegularFile.find(directory.resolve(FILE)).map(ModelYaml::fields).orElseGet(TreeMap::new);
        ModelYaml yaml = new ModelYaml(of(fields, NAME, Field::text), of(fields, CANONICAL_PROMPT, Field::text), of(fields, CANONICAL_PROMPT_IDS, Field::ids),
                of(fields, PROMPTS, Field::text), of(fields, PHASE_PROMPTS, Field::count),
                of(fields, NOTES, Field::text));
        if (yaml.canonicalPrompt.isPresent() && yaml.canonicalIds.isPresent()) {
            throw fault(fields.get(CANONICAL_PROMPT_IDS).line(), CANONICAL_PROMPT_IDS, "beside %s".formatted(CANONICAL_PROMPT), "one of the two", "leaving one out");
        }
        return yaml;
    }

    /// @param count at least 1
    /// @param line  of the file
    public record PhasePrompts(int count, int line) {

        /// The number, where there are so many.
        ///
        /// @param source of the prompts
        /// @throws NpuflowException NPF-190 where there are fewer
        int among(int available, String source) {
            if (count > available) {
                throw fault(line, PHASE_PROMPTS, Integer.toString(count), "at most %d, the prompts of %s".formatted(available, source),
                        "%s: %d".formatted(PHASE_PROMPTS, available));
            }
            return count;
        }
    }

    private static <T> Optional<T> of(SequencedMap<String, Field> fields, String name, Function<Field, T> value) {
        return Optional.ofNullable(fields.get(name)).map(value);
    }

    private static SequencedMap<String, Field> fields(Path file) {
        SequencedMap<String, Field> fields = new TreeMap<>();
        try (JsonParser parser = MAPPER.createParser(ModelPrompts.text(file, MAXIMUM_BYTES))) {
            JsonToken first = parser.nextToken();
            if (first == null || first == JsonToken.VALUE_NULL || first.isScalarValue() && parser.getString().isEmpty()) {
                return fields;
            }
            if (first != JsonToken.START_OBJECT) {
                throw noYaml("no field at line %d".formatted(parser.currentTokenLocation().getLineNr()));
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                int line = parser.currentTokenLocation().getLineNr();
                if (!FIELDS.contains(name)) {
                    throw fault(line, shorten(name), "unknown", "one of " + String.join(", ", FIELDS),
                            NearestName.of(name, FIELDS).orElse("removing the line"));
                }
                JsonToken value = parser.nextToken();
                String written = value.isScalarValue() && value != JsonToken.VALUE_NULL ? parser.getString() : "";
                fields.put(name, new Field(name, line, written, parser.readValueAsTree()));
            }
            if (parser.nextToken() != null) {
                throw noYaml("a second document at line %d".formatted(parser.currentTokenLocation().getLineNr()));
            }
        } catch (JacksonException broken) {
            throw noYaml(SyntaxReason.of(broken));
        }
        return fields;
    }

    /// For a message: the first line, not too long.
    private static String shorten(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
    }

    private static NpuflowException noYaml(String how) {
        return NpuflowException.badInput("NPF-185", FILE, how, "YAML with one key a line", "canonical_prompt: some text");
    }

    private static NpuflowException fault(int line, String field, String value, String expected, String remedy) {
        return NpuflowException.badInput("NPF-190", "%s line %d: field %s".formatted(FILE, line, field), value, expected, remedy);
    }

    /// @param written what stands there, of a text, a number or a switch; else empty
    private record Field(String name, int line, String written, JsonNode value) {

        /// One line. What looks like a number is text as it is written.
        String text() {
            if (written.isBlank() || written.lines().count() > 1) {
                throw wrong("text on one line", "%s: some text".formatted(name));
            }
            return written;
        }

        /// Whether the model reads them is the vocabulary's matter.
        JsonNode ids() {
            if (!value.isArray() || value.isEmpty() || !value.valueStream().allMatch(JsonNode::isIntegralNumber)) {
                throw wrong("one or more token ids on one line", "%s: [1, 2, 3]".formatted(name));
            }
            return value;
        }

        PhasePrompts count() {
            if (!value.isInt() || value.intValue() < 1) {
                throw wrong("a number of prompts from 1", "%s: 2".formatted(name));
            }
            return new PhasePrompts(value.intValue(), line);
        }

        private NpuflowException wrong(String expected, String remedy) {
            String shown = value.isNull() ? "nothing" : value.isString() ? value.stringValue() : value.toString();
            return fault(line, name, shorten(shown), expected, remedy);
        }
    }
}
