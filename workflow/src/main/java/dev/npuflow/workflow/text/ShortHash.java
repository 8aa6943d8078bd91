package dev.npuflow.workflow.text;

/// A hash as text shows it: its first twelve digits, as git does. JSON and documents hold all of it, and options take eight digits or more.
public final class ShortHash {

    private static final int SHOWN = 12;

    private ShortHash() {}

    public static String of(String hash) {
        return hash.substring(0, Math.min(SHOWN, hash.length()));
    }
}
