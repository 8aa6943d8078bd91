package dev.npuflow.npu.device;

import dev.npuflow.npu.NpuException;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The numbers of one device file by dotted path, such as `dram.read_gbps`.
public record DeviceFile(String file, String name, SortedMap<String, Quantity> quantities) {

    private static final YAMLMapper YAML = YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    public DeviceFile {
        quantities = Collections.unmodifiableSortedMap(new TreeMap<>(quantities));
    }

    /// @throws NpuException NPF-301 not YAML, NPF-302 not a quantity, NPF-304 outside its own plausible range
    public static DeviceFile parse(String file, String text) {
        JsonNode root;
        try {
            root = YAML.readTree(text);
        } catch (JacksonException e) {
            TokenStreamLocation at = e.getLocation();
            throw new NpuException("NPF-301", file + ": no YAML, or a field twice" + (at == null ? "" : ", line " + at.getLineNr()), "a YAML device file",
                    "comparing it with npu2.yaml");
        }
        if (!root.isObject() || !root.path("device").isString()) {
            throw new NpuException("NPF-301", file + ": field device is missing", "a name under device:", "device: mynpu");
        }
        SortedMap<String, Quantity> quantities = new TreeMap<>();
        collect(file, "", root, quantities);
        return new DeviceFile(file, root.path("device").stringValue(), quantities);
    }

    /// With one number changed; the plausible range does not bind a what-if question.
    ///
    /// @param assignment `path=number`
    /// @throws NpuException NPF-307 for what is no assignment, NPF-303 for a path that the file does not have, NPF-302 for what is no number
    public DeviceFile with(String assignment) {
        int equals = assignment.indexOf('=');
        if (equals < 1 || assignment.substring(0, equals).isBlank() || assignment.substring(equals + 1).isBlank()) {
            throw new NpuException("NPF-307", "--set (" + assignment + ")", "field=value", "--set dram.read_gbps=40");
        }
        String path = assignment.substring(0, equals).strip();
        Quantity old = quantities.get(path);
        if (old == null) {
            throw new NpuException("NPF-303", "--set " + assignment + ": field " + path + " is unknown", "a field of " + file,
                    "one of " + String.join(", ", quantities.keySet()));
        }
        return with(path, number("--set " + assignment, path, assignment.substring(equals + 1).strip()));
    }

    public DeviceFile with(String path, double value) {
        SortedMap<String, Quantity> changed = new TreeMap<>(quantities);
        changed.put(path, quantities.get(path).withValue(value));
        return new DeviceFile(file, name, changed);
    }

    DeviceFile without(String prefix) {
        SortedMap<String, Quantity> kept = new TreeMap<>(quantities);
        kept.keySet().removeIf(path -> path.startsWith(prefix));
        return new DeviceFile(file, name, kept);
    }

    private static void collect(String file, String path, JsonNode node, SortedMap<String, Quantity> into) {
        for (Iterator<Map.Entry<String, JsonNode>> fields = node.properties().iterator(); fields.hasNext();) {
            Map.Entry<String, JsonNode> field = fields.next();
            String name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            JsonNode value = field.getValue();
            if (path.isEmpty() && name.equals("device")) {
                continue;
            }
            if (value.isNumber()) {
                into.put(name, Quantity.plain(finite(file, name, value), ""));
            } else if (value.isObject() && value.has("value")) {
                into.put(name, quantity(file, name, value));
            } else if (value.isObject()) {
                collect(file, name, value, into);
            } else {
                throw noNumber(file, name, value.asString());
            }
        }
    }

    private static Quantity quantity(String file, String path, JsonNode node) {
        for (Iterator<Map.Entry<String, JsonNode>> fields = node.properties().iterator(); fields.hasNext();) {
            String field = fields.next().getKey();
            if (!field.equals("value") && !field.equals("source") && !field.equals("calibrated") && !field.equals("plausible")) {
                throw new NpuException("NPF-303", file + ": field " + path + "." + field + " is unknown",
                        "value with source, or with calibrated and plausible",
                        "remove it");
            }
        }
        double value = finite(file, path, node.path("value"));
        if (!node.has("calibrated")) {
            return Quantity.plain(value, node.path("source").asString(""));
        }
        JsonNode range = node.path("plausible");
        if (!range.isArray() || range.size() != 2) {
            throw new NpuException("NPF-302", file + ": field " + path + ".plausible (" + range + ")", "[least, greatest]", "plausible: [0, 10]");
        }
        double low = finite(file, path + ".plausible", range.get(0));
        double high = finite(file, path + ".plausible", range.get(1));
        if (value < low || value > high) {
            throw new NpuException("NPF-304", file + ": field " + path + " (" + value + ")", "a value from " + low + " to " + high,
                    "calibrating it again");
        }
        return new Quantity(value, node.path("calibrated").asString(""), true, low, high);
    }

    private static double finite(String file, String path, JsonNode node) {
        if (!node.isNumber() || !Double.isFinite(node.doubleValue())) {
            throw noNumber(file, path, node.asString(""));
        }
        return node.doubleValue();
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

    private static NpuException noNumber(String file, String path, String value) {
        return new NpuException("NPF-302", file + ": field " + path + " (" + value + ")", "a finite number", "a decimal point, as in 41.5");
    }
}
