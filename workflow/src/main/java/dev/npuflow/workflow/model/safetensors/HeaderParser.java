package dev.npuflow.workflow.model.safetensors;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.SyntaxReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Reads the JSON of a header token by token, so that memory follows what is kept, not what the header nests.
final class HeaderParser {

    private static final int MAXIMUM_TENSORS = 1 << 18;
    private static final int MAXIMUM_RANK = 32;

    private final String file;
    private final JsonParser parser;
    private final List<TensorEntry> tensors = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    private HeaderParser(String file, byte[] json) {
        this.file = file;
        this.parser = new JsonFactory().createParser(ObjectReadContext.empty(), json);
    }

    /// @throws NpuflowException NPF-122, NPF-123, NPF-124, NPF-128, NPF-129 naming file and tensor
    static List<TensorEntry> parse(String file, byte[] json) {
        try {
            HeaderParser header = new HeaderParser(file, json);
            header.readAll();
            return List.copyOf(header.tensors);
        } catch (JacksonException broken) {
            throw notJson(file, SyntaxReason.of(broken));
        }
    }

    private static NpuflowException notJson(String file, String what) {
        return NpuflowException.badInput("NPF-122", "%s: the header is not a JSON object".formatted(file), what, "a safetensors header",
                "downloading it again (it looks cut or overwritten)");
    }

    private void readAll() {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw notJson(file, "it does not begin with {");
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            if (!names.add(name)) {
                throw NpuflowException.badInput("NPF-128", "%s: tensor %s stands twice".formatted(file, shown(name)), "each name once",
                        "writing the file again");
            }
            parser.nextToken();
            if (name.equals("__metadata__")) {
                requireObject(name);
                parser.skipChildren();
            } else {
                tensors.add(readTensor(name));
            }
            if (tensors.size() > MAXIMUM_TENSORS) {
                throw NpuflowException.badInput("NPF-129", "%s: more than %d tensors".formatted(file, MAXIMUM_TENSORS), "fewer", "a sharded file");
            }
        }
        if (parser.nextToken() != null) {
            throw notJson(file, "something follows the object");
        }
    }

    private TensorEntry readTensor(String name) {
        requireObject(name);
        Set<String> fields = new HashSet<>();
        ElementType type = null;
        List<Long> shape = null;
        List<Long> offsets = null;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = parser.currentName();
            if (!fields.add(field)) {
                throw fault(name, "field stands twice", shown(field), "each field once");
            }
            parser.nextToken();
            switch (field) {
                case "dtype" -> type = readType(name);
                case "shape" -> shape = readNumbers(name, field);
                case "data_offsets" -> offsets = readNumbers(name, field);
                default -> throw fault(name, "unknown field", shown(field), "dtype, shape and data_offsets");
            }
        }
        if (type == null || shape == null || offsets == null || offsets.size() != 2) {
            throw fault(name, "fields", "dtype, shape or the two data_offsets are missing", "all three");
        }
        TensorEntry entry = new TensorEntry(name, type, shape, offsets.get(0), offsets.get(1));
        requireFit(entry);
        return entry;
    }

    private void requireObject(String name) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw fault(name, "entry", "no object", "dtype, shape and data_offsets");
        }
    }

    private ElementType readType(String name) {
        String spelling = parser.currentToken() == JsonToken.VALUE_STRING ? parser.getString() : "no string";
        for (ElementType type : ElementType.values()) {
            if (type.name().equals(spelling)) {
                return type;
            }
        }
        throw fault(name, "dtype", shown(spelling), "a dtype of the safetensors format");
    }

    private List<Long> readNumbers(String name, String field) {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw fault(name, field, "no list", "a list of integers");
        }
        List<Long> numbers = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT || numbers.size() == MAXIMUM_RANK) {
                throw fault(name, field, "no list of integers", "at most %d integers".formatted(MAXIMUM_RANK));
            }
            if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER || parser.getLongValue() < 0) {
                throw fault(name, field, shown(parser.getString()), "integers from 0 to 2^63 - 1");
            }
            numbers.add(parser.getLongValue());
        }
        return numbers;
    }

    /// Shape times element width must be the bytes between the offsets; a product beyond 2^63 is no size at all.
    private void requireFit(TensorEntry entry) {
        long bits = entry.type().bits();
        for (long extent : entry.shape()) {
            if (extent != 0 && bits > Long.MAX_VALUE / extent) {
                throw fault(entry.name(), "shape", entry.shape(), "a size below 2^63 bits");
            }
            bits *= extent;
        }
        if (entry.begin() > entry.end() || bits % 8 != 0 || bits / 8 != entry.end() - entry.begin()) {
            throw NpuflowException.badInput("NPF-124", "%s: tensor %s".formatted(file, shown(entry.name())), "%s %s between bytes %d and %d".formatted(
                    entry.type(), entry.shape(), entry.begin(), entry.end()), "%d bits".formatted(bits), "writing the file again");
        }
    }

    private NpuflowException fault(String tensor, String what, Object value, String expected) {
        return NpuflowException.badInput("NPF-123", "%s: tensor %s: %s".formatted(file, shown(tensor), what), value, expected, "writing the file again");
    }

    static String shown(String name) {
        return name.length() > 120 ? name.substring(0, 120) + "..." : name;
    }
}
