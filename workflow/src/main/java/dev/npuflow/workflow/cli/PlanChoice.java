package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NearestName;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.text.ShortHash;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The plan that `--plan` asks for: `kept`, `baseline`, or a plan of the ledger by its hash or by enough of its first digits.
final class PlanChoice {

    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{8,64}");

    private final OpenedDeployment opened;

    PlanChoice(OpenedDeployment opened) {
        this.opened = opened;
    }

    /// @param asked `kept` is the baseline as long as no phase has kept anything
    /// @throws NpuflowException NPF-805 for another word, NPF-607 for digits that no plan begins with, NPF-610 for digits that several do
    Deployment plan(String asked) {
        String word = asked.toLowerCase(Locale.ROOT);
        if (word.equals("baseline")) {
            return opened.target().baseline();
        }
        boolean isHash = DIGITS.matcher(word).matches();
        if (!isHash && !word.equals("kept")) {
            throw NpuflowException.badInput("NPF-805", "--plan", asked, "kept, baseline, or 8 digits or more of a plan's hash",
                    NearestName.of(asked, List.of("kept", "baseline")).map("--plan "::concat).orElse("leaving --plan out"));
        }
        Optional<Ledger> ledger = Ledger.openToRead(opened.workspace());
        if (ledger.isEmpty()) {
            return isHash ? byHash(asked, word, new TreeSet<>()) : opened.target().baseline();
        }
        try (Ledger plans = ledger.get()) {
            if (!isHash) {
                return plans.lastKeptPlan(opened.runKey(GatedPhase.DECODE)).or(() -> plans.lastKeptPlan(opened.runKey(GatedPhase.PREFILL)))
                        .map(plans::plan).orElseGet(opened.target()::baseline);
            }
            TreeSet<String> found = new TreeSet<>(plans.plans(word));
            return found.isEmpty() || found.size() > 1 ? byHash(asked, word, found) : plans.plan(found.first());
        }
    }

    /// The baseline has its hash before any phase has recorded it.
    private Deployment byHash(String asked, String digits, SortedSet<String> found) {
        if (found.size() > 1) {
            throw NpuflowException.badInput("NPF-610", "--plan", asked, "the digits of one plan, and %d begin so".formatted(found.size()),
                    "one of " + found.stream().limit(4).map(hash -> more(hash, digits)).collect(Collectors.joining(", ")));
        }
        Deployment baseline = opened.target().baseline();
        if (baseline.hash().startsWith(digits)) {
            return baseline;
        }
        throw NpuflowException.badInput("NPF-607", "--plan", asked, "the first digits of a plan in %s".formatted(opened.workspace()),
                "kept, or a plan's digits as a phase, its document or npuflow plan shows them");
    }

    /// Four digits more than were asked for, and no fewer than text shows.
    private static String more(String hash, String digits) {
        return hash.substring(0, Math.min(hash.length(), Math.max(ShortHash.of(hash).length(), digits.length() + 4)));
    }
}
