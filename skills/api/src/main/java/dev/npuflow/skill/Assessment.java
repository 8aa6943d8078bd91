package dev.npuflow.skill;

import dev.npuflow.plan.Deployment;
import java.util.ArrayList;
import java.util.List;

/// What a skill answers about a deployment, with the one-line reason that goes into the phase's document.
public sealed interface Assessment {

    String reason();

    /// There is nothing to do, or the device refuses what there is.
    ///
    /// @param blockers what the compiler said against it; empty where it was not asked or had nothing to say
    record NotApplicable(String reason, List<Blocker> blockers) implements Assessment {

        public NotApplicable {
            blockers = List.copyOf(blockers);
        }
    }

    /// A changed deployment.
    ///
    /// @param plan        differs from the given one in the asked phase alone
    /// @param changesBits whether values may change in their last bits: the self-check then asks for a cosine of 0.99 instead of equal bits
    /// @param warnings    what to be wary of although it compiles, one line each; they stop nothing
    /// @param evidence    what the document shows of the change; npuflow adds what it measures
    record Proposal(Deployment plan, String reason, boolean changesBits, List<String> warnings, List<Evidence> evidence) implements Assessment {

        public Proposal {
            warnings = List.copyOf(warnings);
            evidence = List.copyOf(evidence);
        }

        public Proposal changingBits(boolean changes) {
            return new Proposal(plan, reason, changes, warnings, evidence);
        }

        public Proposal withWarnings(List<String> more) {
            return new Proposal(plan, reason, changesBits, joined(warnings, more), evidence);
        }

        public Proposal withEvidence(List<Evidence> more) {
            return new Proposal(plan, reason, changesBits, warnings, joined(evidence, more));
        }

        private static <T> List<T> joined(List<T> first, List<T> second) {
            List<T> joined = new ArrayList<>(first);
            joined.addAll(second);
            return joined;
        }
    }

    static Assessment notApplicable(String reason) {
        return new NotApplicable(reason, List.of());
    }

    /// @param blockers what the compiler said
    static Assessment notApplicable(String reason, List<Blocker> blockers) {
        return new NotApplicable(reason, blockers);
    }

    /// A changed plan that computes the same bits.
    static Proposal proposal(Deployment plan, String reason) {
        return new Proposal(plan, reason, false, List.of(), List.of());
    }
}
