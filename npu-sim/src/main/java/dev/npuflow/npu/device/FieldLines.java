package dev.npuflow.npu.device;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// In which line of a YAML text each field stands.
final class FieldLines {

    private FieldLines() {}

    /// By dotted path; a list's elements have none of their own.
    static SortedMap<String, Integer> of(YAMLMapper yaml, String text) {
        SortedMap<String, Integer> lines = new TreeMap<>();
        Deque<String> sections = new ArrayDeque<>();
        String path = "";
        try (JsonParser parser = yaml.createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                switch (token) {
                    case START_OBJECT -> sections.push(path);
                    case END_OBJECT -> path = sections.pop();
                    case PROPERTY_NAME -> {
                        String section = sections.element();
                        path = section.isEmpty() ? parser.currentName() : section + "." + parser.currentName();
                        lines.putIfAbsent(path, parser.currentTokenLocation().getLineNr());
                    }
                    default -> { }
                }
            }
        }
        return lines;
    }
}
