package dev.npuflow.skill;

import java.util.List;
import java.util.regex.Pattern;

/// An option that a skill declares. npuflow refuses what the option does not take before it calls the skill, and lists the option in its help.
public sealed interface SkillOption {

    /// As in `--skill-option name=value`: lower case, digits and hyphens.
    String name();

    /// What it does, one line.
    String summary();

    /// The value where the user gives none.
    String usual();

    /// The values that it takes, for people: `on or off`.
    String expected();

    boolean takes(String value);

    /// On or off.
    record Switch(String name, boolean on, String summary) implements SkillOption {

        static final String ON = "on";
        static final String OFF = "off";

        public Switch {
            requireName(name);
        }

        @Override public String usual() {
            return on ? ON : OFF;
        }

        @Override public String expected() {
            return "on or off";
        }

        @Override public boolean takes(String value) {
            return value.equals(ON) || value.equals(OFF);
        }
    }

    /// A whole number.
    record Number(String name, long value, long least, long greatest, String summary) implements SkillOption {

        private static final Pattern DIGITS = Pattern.compile("-?[0-9]{1,18}");

        public Number {
            requireName(name);
            if (value < least || value > greatest) {
                throw new IllegalArgumentException("option %s: its usual value %d is not from %d to %d".formatted(name, value, least, greatest));
            }
        }

        @Override public String usual() {
            return Long.toString(value);
        }

        @Override public String expected() {
            return least + " to " + greatest;
        }

        @Override public boolean takes(String given) {
            return DIGITS.matcher(given).matches() && Long.parseLong(given) >= least && Long.parseLong(given) <= greatest;
        }
    }

    /// One of some words.
    record Word(String name, String usual, List<String> words, String summary) implements SkillOption {

        public Word {
            requireName(name);
            words = List.copyOf(words);
            if (!words.contains(usual)) {
                throw new IllegalArgumentException("option %s: its usual value %s is none of %s".formatted(name, usual, words));
            }
        }

        @Override public String expected() {
            return "one of " + String.join(", ", words);
        }

        @Override public boolean takes(String value) {
            return words.contains(value);
        }
    }

    private static void requireName(String name) {
        if (!name.matches("[a-z][a-z0-9]{0,31}(-[a-z0-9]{1,32})?")) {
            throw new IllegalArgumentException("an option's name is lower case words and digits, joined by hyphens: " + name);
        }
    }
}
