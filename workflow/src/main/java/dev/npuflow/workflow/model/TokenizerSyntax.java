package dev.npuflow.workflow.model;

import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.file.SyntaxReason;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
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
    private static final int MAXIMUM_POST_PROCESSOR = 1 << 20;
    private static final String POST_PROCESSOR = "post_processor";

    private TokenizerSyntax() {}

    /// @throws NpuflowException NPF-150 naming the file
    static void require(String file, byte[] json) {
        JsonFactory factory = JsonFactory.builder().streamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(MAXIMUM_DEPTH).maxNumberLength(MAXIMUM_NUMBER).build()).build();
        Optional<byte[]> postProcessor = Optional.empty();
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), json)) {
            JsonToken token = parser.nextToken();
            if (token != JsonToken.START_OBJECT) {
                throw refusal(file, "no JSON object");
            }
            for (int depth = 0; token != null; token = parser.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                requireReadable(file, parser, token);
                if (depth == 1 && token == JsonToken.PROPERTY_NAME && parser.currentName().equals(POST_PROCESSOR)) {
                    if (postProcessor.isPresent()) {
                        throw refusal(file, "two post-processors");
                    }
                    postProcessor = Optional.of(value(file, parser, json));
                }
            }
        } catch (JacksonException broken) {
            throw refusal(file, SyntaxReason.of(broken));
        }
        postProcessor.ifPresent(value -> requireDefined(file, new JsonMapper().readTree(value)));
    }

    /// The bytes of the value that follows, read over and checked on the way.
    private static byte[] value(String file, JsonParser parser, byte[] json) {
        JsonToken token = parser.nextToken();
        long start = parser.currentTokenLocation().getByteOffset();
        for (int depth = 0; token != null; token = parser.nextToken()) {
            requireReadable(file, parser, token);
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (depth == 0) {
                break;
            }
        }
        parser.finishToken();
        long end = parser.currentLocation().getByteOffset();
        if (start < 0) {
            throw refusal(file, "not UTF-8");
        }
        if (end - start > MAXIMUM_POST_PROCESSOR) {
            throw refusal(file, "a post-processor of %d bytes".formatted(end - start));
        }
        return Arrays.copyOfRange(json, (int) start, (int) end);
    }

    private static void requireDefined(String file, JsonNode node) {
        Set<String> defined = new HashSet<>(node.path("special_tokens").propertyNames());
        Stream.of("single", "pair").flatMap(template -> node.path(template).valueStream()).map(piece -> piece.path("SpecialToken").path("id"))
                .filter(id -> id.isString() && !defined.contains(id.stringValue())).findFirst().ifPresent(id -> {
                    throw refusal(file, "its template names special token %s, which it does not define".formatted(id));
                });
        node.path("processors").valueStream().forEach(inner -> requireDefined(file, inner));
    }

    private static void requireReadable(String file, JsonParser parser, JsonToken token) {
        boolean text = token == JsonToken.PROPERTY_NAME || token == JsonToken.VALUE_STRING;
        if (text && hasHalfSurrogate(parser.getString())) {
            throw refusal(file, "half of a surrogate pair in a string");
        }
        if (token.isNumeric() && !Double.isFinite(parser.getDoubleValue())) {
            throw refusal(file, "a number beyond a double");
        }
    }

    private static boolean hasHalfSurrogate(String text) {
        return text.codePoints().anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }

    private static NpuflowException refusal(String file, String what) {
        return NpuflowException.badInput("NPF-150", "%s is refused".formatted(file), what, "the JSON of a tokenizer",
                "the tokenizer.json as it was published");
    }
}
