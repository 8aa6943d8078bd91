package dev.npuflow.npu.device;

import dev.npuflow.fault.NearestName;
import dev.npuflow.fault.NpuflowException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The numbers of one device file by dotted path, such as `dram.read_gbps`.
///
/// @param kind  of machine, which reads the numbers
/// @param lines of the file, by dotted path
public record DeviceFile(String file, String name, String kind, SortedMap<String, Quantity> quantities, SortedMap<String, Integer> lines) {

    private static final String NAME = "device";
    private static final String KIND = "kind";
    private static final YAMLMapper YAML = YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    public DeviceFile {
        quantities = Collections.unmodifiableSortedMap(new TreeMap<>(quantities));
        lines = Collections.unmodifiableSortedMap(new TreeMap<>(lines));
    }

    /// Where a field stands, such as `mine.yaml line 7`; of a field that is missing, its section; else the file alone.
    public String where(String path) {
        for (String at = path; !at.isEmpty(); at = at.substring(0, Math.max(0, at.lastIndexOf('.')))) {
            Integer line = lines.get(at);
            if (line != null) {
                return file + " line " + line;
            }
        }
        return file;
    }

    /// @throws NpuflowException NPF-301 not YAML, NPF-302 not a quantity, NPF-304 outside its own plausible range
    public static DeviceFile parse(String file, String text) {
        JsonNode root;
        try {
            root = YAML.readTree(text);
        } catch (JacksonException e) {
            TokenStreamLocation at = e.getLocation();
            throw NpuflowException.badInput("NPF-301", file + ": no YAML, or a field twice" + (at == null ? "" : ", line " + at.getLineNr()), "a YAML device file",
                    "comparing it with npu2.yaml");
        }
        for (String name : List.of(NAME, KIND)) {
            if (!root.path(name).isString() || root.path(name).stringValue().isBlank()) {
                throw NpuflowException.badInput("NPF-301", file + ": field " + name + " is missing", "a word under " + name + ":",
                        name.equals(NAME) ? "device: mynpu" : "kind: aie");
            }
        }
        DeviceFile empty = new DeviceFile(file, root.path(NAME).stringValue(), root.path(KIND).stringValue(), new TreeMap<>(), FieldLines.of(YAML, text));
        SortedMap<String, Quantity> quantities = new TreeMap<>();
        empty.collect("", root, quantities);
        return empty.with(quantities);
    }

    private DeviceFile with(SortedMap<String, Quantity> others) {
        return new DeviceFile(file, name, kind, others, lines);
    }

    /// With one number changed; the plausible range does not bind a what-if question.
    ///
    /// @param assignment `path=number`
    /// @throws NpuflowException NPF-307 for what is no assignment, NPF-303 for a path that the file does not have, NPF-302 for what is no number
    public DeviceFile with(String assignment) {
        int equals = assignment.indexOf('=');
        if (equals < 1 || assignment.substring(0, equals).isBlank() || assignment.substring(equals + 1).isBlank()) {
            throw NpuflowException.badInput("NPF-307", "--set", assignment, "field=value", "--set dram.read_gbps=40");
        }
        String path = assignment.substring(0, equals).strip();
        Quantity old = quantities.get(path);
        if (old == null) {
            throw NpuflowException.badInput("NPF-303", "--set " + assignment + ": unknown field", path, "a field of " + file,
                    NearestName.of(path, quantities.keySet()).map(near -> "--set " + near + assignment.substring(equals))
                            .orElseGet(() -> "one of " + String.join(", ", quantities.keySet())));
        }
        return with(path, number("--set " + assignment, path, assignment.substring(equals + 1).strip()));
    }

    public DeviceFile with(String path, double value) {
        SortedMap<String, Quantity> changed = new TreeMap<>(quantities);
        changed.put(path, quantities.get(path).withValue(value));
        return with(changed);
    }

    public DeviceFile without(String prefix) {
        SortedMap<String, Quantity> kept = new TreeMap<>(quantities);
        kept.keySet().removeIf(path -> path.startsWith(prefix));
        return with(kept);
    }

    private void collect(String path, JsonNode node, SortedMap<String, Quantity> into) {
        for (Iterator<Map.Entry<String, JsonNode>> fields = node.properties().iterator(); fields.hasNext();) {
            Map.Entry<String, JsonNode> field = fields.next();
            String at = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            JsonNode value = field.getValue();
            if (at.equals(NAME) || at.equals(KIND)) {
                continue;
            }
            if (value.isNumber()) {
                into.put(at, Quantity.plain(finite(at, value), ""));
            } else if (value.isObject() && value.has("value")) {
                into.put(at, quantity(at, value));
            } else if (value.isObject()) {
                collect(at, value, into);
            } else {
                throw noNumber(where(at), at, shown(value));
            }
        }
    }

    private Quantity quantity(String path, JsonNode node) {
        for (Iterator<Map.Entry<String, JsonNode>> fields = node.properties().iterator(); fields.hasNext();) {
            String field = fields.next().getKey();
            if (!field.equals("value") && !field.equals("source") && !field.equals("calibrated") && !field.equals("plausible")) {
                throw NpuflowException.badInput("NPF-303", where(path) + ": field " + path + "." + field + " is unknown",
                        "value with source, or with calibrated and plausible",
                        NearestName.of(field, List.of("value", "source", "calibrated", "plausible")).orElse("removing it"));
            }
        }
        double value = finite(path, node.path("value"));
        if (!node.has("calibrated")) {
            if (node.has("plausible")) {
                throw NpuflowException.badInput("NPF-303", where(path) + ": field " + path + ".plausible is unknown without calibrated", "value with source, or with calibrated and plausible", "removing it");
            }
            return Quantity.plain(value, node.has("source") ? text(path + ".source", node.get("source")) : "");
        }
        JsonNode range = node.path("plausible");
        if (!range.isArray() || range.size() != 2) {
            throw NpuflowException.badInput("NPF-302", where(path) + ": field " + path + ".plausible (" + range + ")", "[least, greatest]", "plausible: [0, 10]");
        }
        double low = finite(path + ".plausible", range.get(0));
        double high = finite(path + ".plausible", range.get(1));
        if (value < low || value > high) {
            throw NpuflowException.badInput("NPF-304", where(path) + ": field " + path + " (" + value + ")", "a value from " + low + " to " + high,
                    "calibrating it again");
        }
        return new Quantity(value, text(path + ".calibrated", node.get("calibrated")), true, low, high);
    }

    private double finite(String path, JsonNode node) {
        // Of an integer beyond a double Jackson's own conversion throws.
        double value = !node.isNumber() ? Double.NaN : node.isBigInteger() ? node.bigIntegerValue().doubleValue() : node.doubleValue();
        if (!Double.isFinite(value)) {
            throw noNumber(where(path), path, shown(node));
        }
        return value;
    }

    private static String shown(JsonNode value) {
        return value.isMissingNode() ? "nothing" : value.isString() ? value.stringValue() : value.toString();
    }

    private String text(String path, JsonNode node) {
        if (!node.isString()) {
            throw NpuflowException.badInput("NPF-302", where(path) + ": field " + path, shown(node), "text that says where the number is from", "quotes around it");
        }
        return node.stringValue();
    }

    private static double number(String file, String path, String text) {
        try {
            double value = Double.parseDouble(text);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw noNumber(file, path, text);
        }
        throw noNumber(file, path, text);
    }

    private static NpuflowException noNumber(String file, String path, String value) {
        return NpuflowException.badInput("NPF-302", file + ": field " + path, value, "a finite number", "a decimal point, as in 41.5");
    }
}
