package dev.npuflow.workflow.cli;

import java.util.Locale;

/// A word that is on or off.
public enum OnOff {
    ON, OFF;

    /// As help and messages write it.
    @Override public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
