package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.InputFile;
import dev.npuflow.workflow.file.InputJson;
import dev.npuflow.workflow.file.SyntaxReason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// The fields of one JSON object of a file. A field that is null has no value, as one that is absent; [#isNull] tells them apart.
///
/// @param where  the file, and the path to the object inside it, for messages
/// @param strict a field of the wrong type is a fault; else it counts as absent (a foreign architecture may mean something else by it)
record JsonFields(String where, JsonNode node, boolean strict) {

    static JsonFields read(Path file, long maximumBytes) {
        byte[] bytes = InputFile.read(file, maximumBytes);
        String name = InputFile.name(file);
        try {
            JsonNode node = InputJson.read(bytes);
            if (!node.isObject()) {
                throw NpuflowException.badInput("NPF-103", name, "no object", "one JSON object", "downloading it again");
            }
            return new JsonFields(name, node, true);
        } catch (JacksonException broken) {
            throw NpuflowException.badInput("NPF-103", "%s is not JSON".formatted(name), SyntaxReason.of(broken), "one JSON object",
                    "downloading it again");
        }
    }

    JsonFields lenient() {
        return new JsonFields(where, node, false);
    }

    boolean has(String name) {
        return node.has(name) && !node.get(name).isNull();
    }

    /// Whether the file says null, which is not the same as saying nothing: a field left out means its class's default.
    boolean isNull(String name) {
        return node.has(name) && node.get(name).isNull();
    }

    OptionalInt positive(String name) {
        return integer(name, 1, "a positive integer");
    }

    OptionalInt natural(String name) {
        return integer(name, 0, "an integer of 0 or more");
    }

    private OptionalInt integer(String name, int least, String expected) {
        return get(name, value -> isInteger(value, least), expected).map(value -> OptionalInt.of((int) valueOf(value))).orElse(OptionalInt.empty());
    }

    OptionalDouble number(String name) {
        return get(name, JsonFields::isFinite, "a number").map(value -> OptionalDouble.of(valueOf(value))).orElse(OptionalDouble.empty());
    }

    Optional<Boolean> flag(String name) {
        return get(name, JsonNode::isBoolean, "true or false").map(JsonNode::booleanValue);
    }

    Optional<String> text(String name) {
        return get(name, JsonNode::isString, "a string").map(JsonNode::stringValue);
    }

    Optional<JsonFields> object(String name) {
        return get(name, JsonNode::isObject, "an object").map(value -> new JsonFields(where + ": " + name, value, strict));
    }

    List<String> texts(String name) {
        return get(name, value -> value.isArray() && value.valueStream().allMatch(JsonNode::isString), "a list of strings")
                .map(value -> value.valueStream().map(JsonNode::stringValue).toList()).orElse(List.of());
    }

    List<Double> numbers(String name) {
        return get(name, value -> value.isArray() && value.valueStream().allMatch(JsonFields::isFinite), "a list of numbers")
                .map(value -> value.valueStream().map(JsonFields::valueOf).toList()).orElse(List.of());
    }

    /// One token id, or a list of them.
    List<Integer> tokenIds(String name) {
        return get(name, value -> isInteger(value, 0) || value.isArray() && value.valueStream().allMatch(id -> isInteger(id, 0)),
                "a token id or a list of them").map(value -> {
                    List<Integer> ids = new ArrayList<>();
                    if (value.isArray()) {
                        value.valueStream().forEach(id -> ids.add((int) valueOf(id)));
                    } else {
                        ids.add((int) valueOf(value));
                    }
                    return List.copyOf(ids);
                }).orElse(List.of());
    }

    private Optional<JsonNode> get(String name, Predicate<JsonNode> valid, String expected) {
        if (!has(name)) {
            return Optional.empty();
        }
        JsonNode value = node.get(name);
        if (valid.test(value)) {
            return Optional.of(value);
        }
        if (strict) {
            throw fault(name, expected);
        }
        return Optional.empty();
    }

    NpuflowException fault(String name, String expected) {
        String value = String.valueOf(node.get(name));
        return NpuflowException.badInput("NPF-105", "%s: field %s".formatted(where, name), value.length() > 80 ? value.substring(0, 80) + "..." : value,
                expected, "the file as it was published");
    }

    NpuflowException missing(String name) {
        return NpuflowException.badInput("NPF-104", "%s: field %s is missing".formatted(where, name), "the field to be there",
                "the file as it was published");
    }

    private static boolean isInteger(JsonNode value, int least) {
        return isFinite(value) && valueOf(value) >= least && valueOf(value) <= Integer.MAX_VALUE && valueOf(value) == Math.rint(valueOf(value));
    }

    private static boolean isFinite(JsonNode value) {
        return value.isNumber() && Double.isFinite(valueOf(value));
    }

    /// Infinite for an integer beyond a double, where Jackson's own conversion throws.
    static double valueOf(JsonNode number) {
        return number.isBigInteger() ? number.bigIntegerValue().doubleValue() : number.doubleValue();
    }
}
