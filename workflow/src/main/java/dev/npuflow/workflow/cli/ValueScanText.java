package dev.npuflow.workflow.cli;

import dev.npuflow.fault.OneLine;
import dev.npuflow.workflow.model.BadValues;
import dev.npuflow.workflow.model.ValueScan;
import dev.npuflow.workflow.model.safetensors.ElementType;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What `inspect --values` found, as JSON under stable names and as lines.
final class ValueScanText {

    /// More tensors than a person reads; JSON has them all.
    private static final int SHOWN = 20;

    private ValueScanText() {}

    static ObjectNode json(ValueScan scan) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("tensors", scan.tensors());
        node.put("values", scan.values());
        ArrayNode unread = node.putArray("unread_types");
        scan.unread().forEach(type -> unread.add(type.name()));
        ArrayNode bad = node.putArray("bad");
        for (BadValues found : scan.bad()) {
            ObjectNode tensor = bad.addObject().put("tensor", found.tensor()).put("file", found.file()).put("dtype", found.type().name());
            ArrayNode shape = tensor.putArray("shape");
            found.shape().forEach(shape::add);
            tensor.put("nan", found.nan()).put("infinite", found.infinite()).put("beyond_bf16", found.beyondBf16());
            ArrayNode first = tensor.putArray("first");
            found.first().forEach(first::add);
            tensor.put("first_value", String.valueOf(found.firstValue()));
        }
        return node;
    }

    static String lines(ValueScan scan) {
        StringBuilder lines = new StringBuilder("%-18s %s\n".formatted("values", headline(scan)));
        for (BadValues found : scan.bad().subList(0, Math.min(SHOWN, scan.bad().size()))) {
            lines.append("  %s\n    %s %s in %s: %s\n".formatted(OneLine.of(found.tensor()), found.type(), found.shape(), OneLine.of(found.file()),
                    found.text()));
        }
        if (scan.bad().size() > SHOWN) {
            lines.append("  and %d tensors more, which --json lists\n".formatted(scan.bad().size() - SHOWN));
        }
        return lines.toString();
    }

    private static String headline(ValueScan scan) {
        String unread = scan.unread().isEmpty() ? "" : "; not read over: tensors of %s".formatted(scan.unread().stream().map(ElementType::name)
                .collect(Collectors.joining(", ")));
        String read = scan.tensors() == 0 ? "no weights to read over"
                : scan.bad().isEmpty() ? "all %s values of %d tensors are finite in bf16".formatted(String.format(Locale.ROOT, "%,d", scan.values()), scan.tensors())
                : "%d of %d tensors hold values that are not finite in bf16".formatted(scan.bad().size(), scan.tensors());
        return read + unread;
    }
}
