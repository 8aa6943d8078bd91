package dev.npuflow.fault;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The known name that a mistyped one was probably meant to be.
public final class NearestName {

    /// No name of ours is as long; a longer one is not compared at all.
    private static final int LONGEST = 200;

    private NearestName() {}

    /// The known name with the fewest letters inserted, left out, replaced or exchanged with their neighbour; of equals one of the same letters, then the first.
    /// Empty where more than a third of the longer name differs: then nothing was meant that we know.
    public static Optional<String> of(String mistyped, Collection<String> known) {
        if (mistyped.length() > LONGEST) {
            return Optional.empty();
        }
        String lower = mistyped.toLowerCase(Locale.ROOT);
        return known.stream().filter(name -> 3 * edits(lower, name.toLowerCase(Locale.ROOT)) <= Math.max(lower.length(), name.length()))
                .min(Comparator.<String>comparingInt(name -> edits(lower, name.toLowerCase(Locale.ROOT)))
                        .thenComparing(name -> !sorted(lower).equals(sorted(name.toLowerCase(Locale.ROOT)))));
    }

    private static String sorted(String name) {
        return name.chars().sorted().mapToObj(Character::toString).collect(Collectors.joining());
    }

    /// Distance after Damerau and Levenshtein, no letter touched twice: `edits[i][j]` of the first i letters to the first j.
    private static int edits(String from, String to) {
        int[][] edits = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : Math.min(1 + Math.min(edits[i - 1][j], edits[i][j - 1]),
                        edits[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1));
                boolean swapped = i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
                if (swapped) {
                    edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
                }
            }
        }
        return edits[from.length()][to.length()];
    }
}
