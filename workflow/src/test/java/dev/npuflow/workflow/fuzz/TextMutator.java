package dev.npuflow.workflow.fuzz;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Damages text by its lines, and lines by their fields: YAML, CSV, lists of prompts, service files.
///
/// @param separators between the fields of a line, such as `:,`
record TextMutator(String separators) implements Mutator {

    @Override public byte[] change(byte[] input, Random random, StringBuilder said) {
        List<String> lines = new ArrayList<>(Arrays.asList(new String(input, StandardCharsets.UTF_8).split("\n", -1)));
        int at = random.nextInt(lines.size());
        String line = lines.get(at);
        String other = lines.get(random.nextInt(lines.size()));
        String how = switch (random.nextInt(12)) {
            case 0 -> {
                lines.remove(at);
                yield "left out";
            }
            case 1 -> {
                lines.add(at, line);
                yield "twice";
            }
            case 2 -> {
                lines.add(at, other);
                yield "another one before it";
            }
            case 3 -> {
                lines.set(at, " ".repeat(1 + random.nextInt(4)) + line);
                yield "moved to the right";
            }
            case 4 -> {
                lines.set(at, line.stripLeading());
                yield "moved to the left";
            }
            case 5 -> {
                int place = random.nextInt(line.length() + 1);
                lines.set(at, line.substring(0, place) + Nasty.text(random) + line.substring(place));
                yield "characters put in";
            }
            case 6 -> {
                lines.set(at, line.substring(0, random.nextInt(line.length() + 1)));
                yield "cut";
            }
            case 7 -> {
                lines.add(at, random.nextBoolean() ? "---" : Nasty.value(random));
                yield "a stranger before it";
            }
            default -> {
                lines.set(at, field(line, random));
                yield "another field";
            }
        };
        said.append("line %d: %s".formatted(at + 1, how));
        return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    }

    private String field(String line, Random random) {
        String[] fields = line.split("(?<=[" + separators + "])|(?=[" + separators + "])", -1);
        int at = random.nextInt(fields.length);
        fields[at] = random.nextInt(6) == 0 ? "" : fields[at].startsWith(" ") || at > 1 ? " " + Nasty.value(random) : Nasty.value(random);
        return String.join("", fields);
    }

    /// Text in another encoding, or with a mark of one.
    static byte[] encoded(byte[] input, Random random, StringBuilder said) {
        String text = new String(input, StandardCharsets.UTF_8);
        List<Charset> charsets = List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16, StandardCharsets.UTF_32LE, StandardCharsets.UTF_32BE, StandardCharsets.ISO_8859_1);
        int which = random.nextInt(charsets.size() + 5);
        if (which < charsets.size()) {
            said.append("in ").append(charsets.get(which));
            return text.getBytes(charsets.get(which));
        }
        said.append("with strange ends");
        return switch (which - charsets.size()) {
            case 0 -> ("\ufeff" + text).getBytes(StandardCharsets.UTF_8);
            case 1 -> (text + "\0").getBytes(StandardCharsets.UTF_8);
            case 2 -> text.replace("\n", "\r").getBytes(StandardCharsets.UTF_8);
            case 3 -> ByteMutator.joined(input, input);
            default -> ByteMutator.joined(input, new byte[] {(byte) 0xc0, (byte) 0x80, (byte) 0xed, (byte) 0xa0, (byte) 0x80, (byte) 0xff});
        };
    }
}
