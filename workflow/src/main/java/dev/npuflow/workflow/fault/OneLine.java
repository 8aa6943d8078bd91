package dev.npuflow.workflow.fault;

/// Text of a stranger, fit for a line of ours: names inside a hostile file or a skill's own words may hold line breaks or terminal controls.
public final class OneLine {

    private OneLine() {}

    /// Every run of control characters, line breaks and format characters becomes a blank.
    public static String of(String text) {
        return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]+", " ");
    }

    /// As [#of(String)], cut at so many characters.
    public static String of(String text, int longest) {
        String line = of(head(text, 2 * longest)).strip();
        return line.length() > longest ? head(line, longest - 1) + "…" : line;
    }

    /// Never half of a surrogate pair.
    private static String head(String text, int longest) {
        int end = Math.min(text.length(), longest);
        return text.substring(0, end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
    }
}
