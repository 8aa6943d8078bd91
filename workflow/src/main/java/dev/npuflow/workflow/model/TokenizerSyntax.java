package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.SyntaxReason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Checks the JSON of a tokenizer before the native library sees it: parts of that library (tokenizers 0.21, decoders/mod.rs) end the whole process
/// where its parser, serde_json, meets an error. So everything that serde_json refuses is refused here: a cut file, nesting beyond 128, a number beyond
/// a double, half of a surrogate pair. And where a post-processor's template names a special token that it does not define, the first text that is
/// encoded ends the process; that is refused too.
final class TokenizerSyntax {

    private static final int MAXIMUM_DEPTH = 100;
    private static final int MAXIMUM_NUMBER = 100;
    private static final int MAXIMUM_VALUE = 16 << 20;
    private static final String POST_PROCESSOR = "post_processor";
    private static final String ADDED_TOKENS = "added_tokens";

    private final String file;
    private final byte[] json;
    private final Map<String, Span> values = new HashMap<>();

    /// The bytes of a value, from its first to behind its last.
    private record Span(int start, int end) {}

    private TokenizerSyntax(String file, byte[] json) {
        this.file = file;
        this.json = json;
    }

    /// @return where the parts stand
    /// @throws NpuflowException NPF-150 naming the file
    static TokenizerSyntax require(String file, byte[] json) {
        TokenizerSyntax syntax = new TokenizerSyntax(file, json);
        syntax.read();
        return syntax;
    }

    /// The entries that the file itself has.
    ///
    /// @throws NpuflowException NPF-104, NPF-105, NPF-150
    List<AddedToken> addedTokens() {
        String where = "%s: %s".formatted(file, ADDED_TOKENS);
        return tree(ADDED_TOKENS).stream().flatMap(JsonNode::valueStream).map(entry -> {
            if (!entry.isObject()) {
                throw refusal("an added token that is no object");
            }
            JsonFields fields = new JsonFields(where, entry, true);
            return AddedToken.of(OptionalInt.of(fields.natural("id").orElseThrow(() -> fields.missing("id"))), fields);
        }).toList();
    }

    /// The same file with further entries behind its own.
    byte[] with(List<AddedToken> further) {
        if (further.isEmpty()) {
            return json;
        }
        String entries = further.stream().map(AddedToken::json).map(JsonNode::toString).collect(Collectors.joining(", "));
        Span own = values.get(ADDED_TOKENS);
        if (own == null) {
            int behindBrace = Objects.requireNonNull(values.get("")).start() + 1;
            return spliced(behindBrace, "\"%s\": [%s], ".formatted(ADDED_TOKENS, entries));
        }
        return spliced(own.end() - 1, (tree(ADDED_TOKENS).orElseThrow().isEmpty() ? "" : ", ") + entries);
    }

    private byte[] spliced(int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(json.length + bytes.length).put(json, 0, at).put(bytes).put(json, at, json.length - at).array();
    }

    private void read() {
        JsonFactory factory = JsonFactory.builder().streamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(MAXIMUM_DEPTH).maxNumberLength(MAXIMUM_NUMBER).build()).build();
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), json)) {
            JsonToken token = parser.nextToken();
            if (token != JsonToken.START_OBJECT) {
                throw refusal("no JSON object");
            }
            values.put("", new Span(Math.toIntExact(Math.max(0, parser.currentTokenLocation().getByteOffset())), json.length));
            for (int depth = 0; token != null; token = parser.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                requireReadable(parser, token);
                if (depth == 1 && token == JsonToken.PROPERTY_NAME && Set.of(POST_PROCESSOR, ADDED_TOKENS).contains(parser.currentName())) {
                    String name = parser.currentName();
                    if (values.put(name, value(parser)) != null) {
                        throw refusal("%s stands twice".formatted(name));
                    }
                }
            }
        } catch (JacksonException broken) {
            throw refusal(SyntaxReason.of(broken));
        }
        tree(POST_PROCESSOR).ifPresent(this::requireDefined);
    }

    private Optional<JsonNode> tree(String name) {
        return Optional.ofNullable(values.get(name)).map(span -> {
            if (span.end() - span.start() > MAXIMUM_VALUE) {
                throw refusal("%s of %d bytes".formatted(name, span.end() - span.start()));
            }
            return new JsonMapper().readTree(json, span.start(), span.end() - span.start());
        });
    }

    /// Where the value stands that follows, read over and checked on the way.
    private Span value(JsonParser parser) {
        JsonToken token = parser.nextToken();
        long start = parser.currentTokenLocation().getByteOffset();
        for (int depth = 0; token != null; token = parser.nextToken()) {
            requireReadable(parser, token);
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (depth == 0) {
                break;
            }
        }
        parser.finishToken();
        long end = parser.currentLocation().getByteOffset();
        if (start < 0) {
            throw refusal("not UTF-8");
        }
        return new Span(Math.toIntExact(start), Math.toIntExact(end));
    }

    private void requireDefined(JsonNode node) {
        Set<String> defined = new HashSet<>(node.path("special_tokens").propertyNames());
        Stream.of("single", "pair").flatMap(template -> node.path(template).valueStream()).map(piece -> piece.path("SpecialToken").path("id"))
                .filter(id -> id.isString() && !defined.contains(id.stringValue())).findFirst().ifPresent(id -> {
                    throw refusal("its template names special token %s, which it does not define".formatted(id));
                });
        node.path("processors").valueStream().forEach(inner -> requireDefined(inner));
    }

    private void requireReadable(JsonParser parser, JsonToken token) {
        boolean text = token == JsonToken.PROPERTY_NAME || token == JsonToken.VALUE_STRING;
        if (text && hasHalfSurrogate(parser.getString())) {
            throw refusal("half of a surrogate pair in a string");
        }
        if (token.isNumeric() && !Double.isFinite(parser.getDoubleValue())) {
            throw refusal("a number beyond a double");
        }
    }

    static boolean hasHalfSurrogate(String text) {
        return text.codePoints().anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }

    private NpuflowException refusal(String what) {
        return NpuflowException.badInput("NPF-150", "%s is refused".formatted(file), what, "the JSON of a tokenizer",
                "the tokenizer.json as it was published");
    }
}
