package dev.npuflow.fault;

import java.util.regex.Pattern;

/// Text of a stranger, fit for a line of ours: names inside a hostile file, a field of a device file or a skill's own words may hold line breaks, a terminal's
/// escape sequences, or characters that turn the direction of what follows. Every line for people is made here.
public final class OneLine {

    /// Control, format, surrogate, private and unassigned characters, and the separators of lines and paragraphs.
    private static final Pattern ODD = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]+");

    private static final Pattern ODD_WITHIN_LINES = Pattern.compile("[[\\p{C}\\p{Zl}\\p{Zp}]&&[^\\n\\t]]+");

    private OneLine() {}

    /// Every run of such characters becomes a blank.
    public static String of(String text) {
        return ODD.matcher(text).replaceAll(" ");
    }

    /// As [#of(String)], cut at so many characters.
    public static String of(String text, int longest) {
        String line = of(head(text, 2 * longest)).strip();
        return line.length() > longest ? head(line, longest - 1) + "…" : line;
    }

    /// The text as it is, or, where it is longer, its beginning and its end, so many characters in all: paths say at their end what they name.
    public static String middle(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = longest / 3;
        String tail = text.substring(text.length() - end);
        return head(text, longest - end - 1) + "…" + (Character.isLowSurrogate(tail.charAt(0)) ? tail.substring(1) : tail);
    }

    /// Text of several lines, such as what a model wrote: its line feeds and tabs stay.
    public static String each(String text) {
        return ODD_WITHIN_LINES.matcher(text).replaceAll(" ");
    }

    /// Whether a text is one plain line as it is.
    public static boolean is(String text) {
        return !ODD.matcher(text).find();
    }

    /// Never half of a surrogate pair.
    private static String head(String text, int longest) {
        int end = Math.min(text.length(), longest);
        return text.substring(0, end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
    }
}
