package dev.npuflow.workflow.model.safetensors;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Lays tensors out one behind the other and writes the header that says so.
public final class HeaderWriter {

    /// The header is padded with blanks so that the data begins on a cache line.
    private static final int ALIGNMENT = 64;

    private HeaderWriter() {}

    /// BF16 tensors in the given order, without a gap.
    public static List<TensorEntry> layOut(SequencedMap<String, List<Long>> shapes) {
        List<TensorEntry> entries = new ArrayList<>();
        long position = 0;
        for (Map.Entry<String, List<Long>> tensor : shapes.entrySet()) {
            long end = position + 2 * tensor.getValue().stream().reduce(1L, Math::multiplyExact);
            entries.add(new TensorEntry(tensor.getKey(), ElementType.BF16, tensor.getValue(), position, end));
            position = end;
        }
        return List.copyOf(entries);
    }

    /// The length word and the header, everything that stands before the data.
    public static byte[] header(List<TensorEntry> entries, Map<String, String> metadata) {
        JsonMapper mapper = new JsonMapper();
        ObjectNode header = mapper.createObjectNode();
        ObjectNode about = header.putObject("__metadata__");
        metadata.forEach(about::put);
        for (TensorEntry entry : entries) {
            ObjectNode tensor = header.putObject(entry.name()).put("dtype", entry.type().name());
            var shape = tensor.putArray("shape");
            entry.shape().forEach(shape::add);
            tensor.putArray("data_offsets").add(entry.begin()).add(entry.end());
        }
        byte[] json = mapper.writeValueAsString(header).getBytes(StandardCharsets.UTF_8);
        int padded = Math.ceilDiv(8 + json.length, ALIGNMENT) * ALIGNMENT;
        ByteBuffer bytes = ByteBuffer.allocate(padded).order(ByteOrder.LITTLE_ENDIAN).putLong(padded - 8L).put(json);
        while (bytes.hasRemaining()) {
            bytes.put((byte) ' ');
        }
        return bytes.array();
    }
}
