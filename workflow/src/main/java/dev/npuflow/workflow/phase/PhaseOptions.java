package dev.npuflow.workflow.phase;

import dev.npuflow.workflow.decision.GainRule;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// How a phase is run.
///
/// @param skills        names in the order to try them; empty for all in the usual order
/// @param skillOptions  for the skills' contexts
/// @param selfCheck     whether old and new plan are compared before the gate
/// @param dryRun        apply and compile only; nothing is measured and nothing is kept
/// @param prompts       gate prompts
/// @param tokens        decode tokens of a profile, at least 1, so that there is a time per token
/// @param skillLimit    time one call of a skill may take
/// @param gain          which gain keeps a skill
public record PhaseOptions(List<String> skills, SortedMap<String, String> skillOptions, boolean selfCheck, boolean dryRun, int prompts, int tokens, Duration skillLimit,
        GainRule gain) {

    /// With the usual gain.
    public PhaseOptions(List<String> skills, SortedMap<String, String> skillOptions, boolean selfCheck, boolean dryRun, int prompts, int tokens, Duration skillLimit) {
        this(skills, skillOptions, selfCheck, dryRun, prompts, tokens, skillLimit, GainRule.USUAL);
    }

    public PhaseOptions {
        if (tokens < 1) {
            throw new IllegalArgumentException("a phase's profile of %d decode tokens".formatted(tokens));
        }
        skills = List.copyOf(skills);
        skillOptions = Collections.unmodifiableSortedMap(new TreeMap<>(skillOptions));
    }
}
