package dev.npuflow.workflow.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Damages JSON by its structure: a parser tells where values and members stand, and one of them is changed as text while the rest stays good.
final class JsonMutator implements Mutator {

    private static final int SHOWN = 60;

    /// @param member where its member begins, which is where the value begins in an array
    private record Span(int member, int start, int end) {

        String in(String text) {
            return text.substring(start, end);
        }
    }

    @Override public byte[] change(byte[] input, Random random, StringBuilder said) {
        String text = new String(input, StandardCharsets.UTF_8);
        List<Span> spans = spans(text);
        if (spans.isEmpty()) {
            return ByteMutator.EVERYWHERE.change(input, random, said);
        }
        Span span = spans.get(random.nextInt(spans.size()));
        Span other = spans.get(random.nextInt(spans.size()));
        String value = span.in(text);
        return (switch (random.nextInt(16)) {
            case 0 -> replaced(text, span, "[" + value + "]", said);
            case 1 -> replaced(text, span, "{\"x\": " + value + "}", said);
            case 2 -> replaced(text, span, "\"" + value.replace("\"", "") + "\"", said);
            case 3 -> replaced(text, span, value.startsWith("-") ? value.substring(1) : "-" + value, said);
            case 4 -> replaced(text, span, other.in(text), said);
            case 5 -> replaced(text, span, value + (Character.isDigit(value.charAt(0)) ? random.nextBoolean() ? "0" : ".5" : " " + Nasty.text(random)), said);
            case 6 -> without(text, span, said);
            case 7 -> put(text, span, text.substring(span.member, span.end) + ", ", "twice", said);
            case 8 -> put(text, span, text.substring(span.member, span.start) + Nasty.value(random) + ", ", "before it itself with another value", said);
            case 9 -> put(text, span, "\"" + Nasty.text(random).replace("\"", "") + "\": " + Nasty.value(random) + ", ", "a stranger before it", said);
            case 10 -> renamed(text, span, random, said);
            case 11 -> inString(text, span, random, said);
            default -> replaced(text, span, Nasty.value(random), said);
        }).getBytes(StandardCharsets.UTF_8);
    }

    private static String replaced(String text, Span span, String value, StringBuilder said) {
        said.append("%s becomes %s".formatted(shown(text.substring(span.member, span.end)), shown(value)));
        return text.substring(0, span.start) + value + text.substring(span.end);
    }

    private static String without(String text, Span span, StringBuilder said) {
        said.append("without ").append(shown(text.substring(span.member, span.end)));
        int behind = span.end;
        while (behind < text.length() && Character.isWhitespace(text.charAt(behind))) {
            behind++;
        }
        boolean comma = behind < text.length() && text.charAt(behind) == ',';
        String before = text.substring(0, span.member);
        return comma ? before + text.substring(behind + 1) : before.stripTrailing().replaceFirst(",$", "") + text.substring(behind);
    }

    private static String put(String text, Span span, String put, String how, StringBuilder said) {
        said.append("%s: %s".formatted(shown(text.substring(span.member, span.end)), how));
        return text.substring(0, span.member) + put + text.substring(span.member);
    }

    private static String renamed(String text, Span span, Random random, StringBuilder said) {
        String member = text.substring(span.member, span.start);
        int quote = member.indexOf('"');
        if (quote < 0) {
            return replaced(text, span, Nasty.value(random), said);
        }
        String name = switch (random.nextInt(4)) {
            case 0 -> "\\u%04x".formatted((int) member.charAt(quote + 1)) + member.substring(Math.min(member.length(), quote + 2));
            case 1 -> "\\ud800" + member.substring(quote + 1);
            case 2 -> "x".repeat(random.nextInt(60_000)) + member.substring(quote + 1);
            default -> Nasty.text(random) + member.substring(quote + 1);
        };
        said.append("name %s becomes %s".formatted(shown(member), shown(name)));
        return text.substring(0, span.member) + member.substring(0, quote + 1) + name + text.substring(span.start);
    }

    private static String inString(String text, Span span, Random random, StringBuilder said) {
        String value = span.in(text);
        int at = value.isEmpty() ? 0 : random.nextInt(value.length());
        return replaced(text, span, value.substring(0, at) + Nasty.text(random) + value.substring(at), said);
    }

    private static String shown(String text) {
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "… (%d)".formatted(text.length()) : text;
    }

    /// Where the values stand, the whole among them; none where the text is no JSON.
    private static List<Span> spans(String text) {
        List<Span> spans = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() != null) {
                value(parser, -1, spans);
            }
        } catch (JacksonException broken) {
            return spans;
        }
        return spans;
    }

    private static void value(JsonParser parser, int member, List<Span> spans) {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                int name = (int) parser.currentTokenLocation().getCharOffset();
                parser.nextToken();
                value(parser, name, spans);
            }
        } else if (token == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                value(parser, -1, spans);
            }
        }
        parser.finishToken();
        spans.add(new Span(member < 0 ? start : member, start, (int) parser.currentLocation().getCharOffset()));
    }
}
