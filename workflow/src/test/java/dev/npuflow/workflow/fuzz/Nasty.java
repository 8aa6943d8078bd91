package dev.npuflow.workflow.fuzz;

import java.util.List;
import java.util.Random;

/// Values that readers trip over.
final class Nasty {

    /// In JSON's spelling, which YAML reads too.
    private static final List<String> VALUES = List.of("null", "true", "false", "\"\"", "\"x\"", "\"1\"", "\"true\"", "\"null\"", "[]", "{}", "[[]]", "[null]", "[1, \"a\"]", "{\"a\": 1}",
            "{\"value\": 1}", "0", "-0", "1", "2", "-1", "-5", "1.5", "0.5", "-0.0", "1e-320", "1e300", "-1e300", "1e400", "-1e400", "9e18", "9e99999", "127", "255", "256", "32767", "32768",
            "65535", "65536", "2147483646", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "9007199254740993", "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "NaN", "Infinity", "-Infinity", ".inf", ".nan", "0x10", "0b1", "01", "1_000", "+1", "1.",
            ".5", "\"\\u0000\"", "\"\\u202e\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\u001b[2J\\nNPF-000 forged\"", "\"a\\u2028b\"", "\"../../../../etc/passwd\"", "\"/dev/zero\"", "\"CON\"",
            "\"{layer}\"", "\"%s%n%d\"", "\"${x}\"", "'x'", "\"\\x\"", "\"", "{", "[", "}", "]", ",", ":", "/* */ 1", "# x", "&a", "*a", "!!java.lang.Runtime x", "? x", "| \n  x", "> x", "~",
            "yes", "2001-01-01");

    private static final List<String> TEXTS = List.of("", " ", "\0", "\u202e", "\u001b[2J", "\n", "\r", "\t", "\ufeff", "\u2028", "\u0085", "\uffff", "\ud83d\ude00", "é", "ı", "İ", "٣", "\"", "'", "\\", ",",
            ";", ":", "=", "#", "%", "%n", "{}", "[]", "<", "&", "*", "|", "-", "--", "..", "/", "NaN", "1e999", "-1", "0", "2147483648", "99999999999999999999", "nul");

    private Nasty() {}

    static String value(Random random) {
        return switch (random.nextInt(24)) {
            case 0 -> "1".repeat(1 + random.nextInt(3000));
            case 1 -> "\"" + "a".repeat(random.nextInt(100_000)) + "\"";
            case 2 -> nested("[", "]", random);
            case 3 -> nested("{\"a\":", "}", random);
            case 4 -> "0." + "3".repeat(random.nextInt(2000)) + "e" + random.nextInt(1000);
            case 5 -> "[" + "0, ".repeat(random.nextInt(5000)) + "0]";
            case 6 -> Long.toString(random.nextLong());
            case 7 -> Integer.toString(random.nextInt(1 << random.nextInt(31)));
            case 8 -> "\"" + "\\u202e\\u001b".repeat(random.nextInt(200)) + "\"";
            default -> VALUES.get(random.nextInt(VALUES.size()));
        };
    }

    private static String nested(String open, String close, Random random) {
        int depth = 1 << random.nextInt(18);
        return open.repeat(depth) + "1" + (random.nextBoolean() ? close.repeat(depth) : "");
    }

    /// A few characters.
    static String text(Random random) {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }
}
