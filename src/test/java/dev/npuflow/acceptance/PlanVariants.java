package dev.npuflow.acceptance;

import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.Transfer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Every field of a plan, each set to values that it should not have: found by walking the plan's JSON, so that a field that is added later is among them.
final class PlanVariants {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> WORDS = Stream.of(Transfer.values(), BufferKey.values(), DataType.values(), HostKind.values()).flatMap(Stream::of).map(Enum::name).toList();

    private final JsonNode whole;
    private final Set<String> seen = new HashSet<>();
    private final List<Variant> variants = new ArrayList<>();

    /// @param path  of the field, such as `/decode/layer/0/launches/1/shape/m`
    /// @param value that it has in this variant
    record Variant(String path, String value, String json) {

        /// The path without the numbers of list entries.
        String field() {
            return path.replaceAll("/\\d+", "/*");
        }

        @Override public String toString() {
            return path + " = " + (value.length() > 80 ? value.substring(0, 80) + "…" : value);
        }
    }

    private PlanVariants(JsonNode whole) {
        this.whole = whole;
    }

    static List<Variant> of(Deployment plan) {
        JsonNode whole = JsonMapper.shared().readTree(CanonicalJson.write(plan));
        PlanVariants all = new PlanVariants(whole);
        all.seen.add(whole.toString());
        all.walk("", whole);
        return List.copyOf(all.variants);
    }

    private void walk(String path, JsonNode node) {
        switch (node) {
            case ObjectNode object -> {
                for (Map.Entry<String, JsonNode> field : object.properties()) {
                    String at = path + "/" + field.getKey();
                    others(field.getValue()).forEach(other -> variant(at, object, field.getKey(), other));
                    walk(at, field.getValue());
                }
            }
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++) {
                    JsonNode entry = array.get(i);
                    String at = path + "/" + i;
                    for (JsonNode other : entry.isValueNode() ? others(entry) : List.<JsonNode>of()) {
                        array.set(i, other);
                        add(at, other);
                    }
                    array.set(i, entry);
                    walk(at, entry);
                }
            }
            default -> { }
        }
    }

    private void variant(String at, ObjectNode object, String name, JsonNode other) {
        JsonNode before = object.get(name);
        object.set(name, other);
        add(at, other);
        object.set(name, before);
    }

    private void add(String at, JsonNode value) {
        String json = whole.toString();
        if (seen.add(json)) {
            variants.add(new Variant(at, value.toString(), json));
        }
    }

    private List<JsonNode> others(JsonNode value) {
        List<JsonNode> others = new ArrayList<>();
        if (value.isIntegralNumber()) {
            long number = value.longValue();
            Stream.of(-1L, 0L, 1L, number - 1, number + 1, number / 2, 2 * number, (long) Integer.MAX_VALUE, (long) Integer.MIN_VALUE, Long.MAX_VALUE).distinct().filter(other -> other != number)
                    .forEach(other -> others.add(other == other.intValue() ? NODES.numberNode(other.intValue()) : NODES.numberNode(other)));
        } else if (value.isNumber()) {
            double number = value.doubleValue();
            Stream.of(-number, 0.0, 1.0, number * 2, number / 2, Double.MAX_VALUE, Double.MIN_VALUE).forEach(other -> others.add(NODES.numberNode(other)));
        } else if (value.isBoolean()) {
            others.add(NODES.booleanNode(!value.booleanValue()));
        } else if (value.isString()) {
            strings(value.stringValue()).forEach(other -> others.add(NODES.stringNode(other)));
        } else if (value.isArray()) {
            lists(value).forEach(others::add);
        } else if (value.isObject()) {
            others.add(NODES.objectNode());
        }
        return others;
    }

    /// Words of an enum become each other word of it; a name becomes another one of the plan, none, and what no name may be.
    private Stream<String> strings(String value) {
        if (WORDS.contains(value)) {
            return Stream.of(Transfer.values(), BufferKey.values(), DataType.values(), HostKind.values()).map(kind -> Stream.of(kind).map(Enum::name).toList())
                    .filter(kind -> kind.contains(value)).flatMap(List::stream).filter(word -> !word.equals(value));
        }
        return Stream.of("", "other", value + "x", value.replaceFirst(".$", ""), value.replace("{layer}", "0"), value.replace("{layer}", "99"), "model.norm.weight", "x\u001b[2J\u202e\n", "seq_first", "head_first",
                "gemv", "rms_norm", "activation").distinct().filter(other -> !other.equals(value));
    }

    private static Stream<JsonNode> lists(JsonNode value) {
        List<JsonNode> entries = value.valueStream().toList();
        Map<String, List<JsonNode>> lists = new LinkedHashMap<>();
        lists.put("empty", List.of());
        lists.put("doubled", Stream.concat(entries.stream(), entries.stream()).toList());
        lists.put("reversed", entries.reversed());
        for (int i = 0; i < entries.size(); i++) {
            List<JsonNode> without = new ArrayList<>(entries);
            without.remove(i);
            lists.put("without " + i, without);
            List<JsonNode> twice = new ArrayList<>(entries);
            twice.add(i, entries.get(i));
            lists.put("twice " + i, twice);
        }
        return lists.values().stream().map(list -> NODES.arrayNode().addAll(Collections.unmodifiableList(list)));
    }
}
