package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The line of a phase document that programs read, hidden from readers by being an HTML comment.
///
/// @param baselineMilliseconds of the figure that decides: a token, or the wall time of a prefill
public record PhaseMarker(int phase, String status, double baselineMilliseconds, double finalMilliseconds) {

    private static final Pattern TEXT =
            Pattern.compile("^<!-- npuflow: phase=(\\d) status=([A-Z]{1,12}) baseline_ms=(\\d{1,9}\\.\\d{4}) final_ms=(\\d{1,9}\\.\\d{4}) -->$",
                    Pattern.MULTILINE);

    String text() {
        return format(ROOT, "<!-- npuflow: phase=%d status=%s baseline_ms=%.4f final_ms=%.4f -->", phase, status, baselineMilliseconds,
                finalMilliseconds);
    }

    /// Empty for a document that npuflow did not write.
    static Optional<PhaseMarker> in(String document) {
        Matcher found = TEXT.matcher(document);
        return found.find() ? Optional.of(new PhaseMarker(Integer.parseInt(found.group(1)), found.group(2), Double.parseDouble(found.group(3)),
                Double.parseDouble(found.group(4)))) : Optional.empty();
    }

    double speedup() {
        return finalMilliseconds > 0 ? baselineMilliseconds / finalMilliseconds : 1;
    }
}
