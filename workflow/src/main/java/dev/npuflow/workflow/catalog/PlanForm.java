package dev.npuflow.workflow.catalog;

import dev.npuflow.fault.OneLine;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Whether a plan can be written down and read again as the same, in names that fit a line of a document: what the ledger and the reports need of it.
final class PlanForm {

    private static final int MOST_CHARACTERS = 32 << 20;
    private static final int LONGEST_REASON = 160;

    private static final int LONGEST_NAME = 255;

    private static final Pattern STRING = Pattern.compile("\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"");

    private PlanForm() {}

    /// How the plan's form is wrong, as the end of "a plan that"; empty where nothing is.
    static Optional<String> fault(Deployment plan, Phase phase) {
        try {
            String json = CanonicalJson.write(plan);
            if (json.length() > MOST_CHARACTERS) {
                return Optional.of("has more than %d characters".formatted(MOST_CHARACTERS));
            }
            if (!CanonicalJson.write(CanonicalJson.read(json, Deployment.class)).equals(json)) {
                return Optional.of("is another one when it is read again");
            }
            return name(CanonicalJson.write(plan.phase(phase)));
        } catch (RuntimeException unwritable) {
            return Optional.of("cannot be written and read again: " + OneLine.of(String.valueOf(unwritable.getMessage()), LONGEST_REASON));
        }
    }

    private static Optional<String> name(String json) {
        Matcher strings = STRING.matcher(json);
        while (strings.find()) {
            String name = strings.group(1);
            if (name.length() > LONGEST_NAME) {
                return Optional.of("has a name of %d characters: %s".formatted(name.length(), OneLine.of(name, LONGEST_REASON)));
            }
            // JSON writes a control character, a quote and a backslash with a backslash.
            if (name.indexOf('\\') >= 0 || !OneLine.is(name)) {
                return Optional.of("has a name with a control character, a quote or a backslash: " + OneLine.of(name, LONGEST_REASON));
            }
        }
        return Optional.empty();
    }
}
