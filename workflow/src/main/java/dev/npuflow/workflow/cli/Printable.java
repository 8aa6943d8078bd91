package dev.npuflow.workflow.cli;

/// Text out of a stranger's file, fit for a terminal: control characters, line breaks and format characters become blanks.
public final class Printable {

    private Printable() {}

    public static String of(String text) {
        return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ");
    }
}
