package dev.npuflow.plan;

/// The rectangle of core tiles that a launch runs on.
public record Herd(int columns, int rows) {

    public Herd {
        if (columns <= 0 || rows <= 0) {
            throw new IllegalArgumentException("herd %d x %d".formatted(columns, rows));
        }
    }

    public int cores() {
        return columns * rows;
    }
}
