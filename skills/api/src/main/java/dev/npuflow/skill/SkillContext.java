package dev.npuflow.skill;

import dev.npuflow.plan.Phase;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a skill may know besides the plan.
///
/// @param options         `--skill-option key=value` of the command line
/// @param earlierAttempts of this skill in this phase, oldest first
public record SkillContext(Phase phase, String device, SortedMap<String, String> options, Placement placement, List<Attempt> earlierAttempts) {

    public SkillContext {
        options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
        earlierAttempts = List.copyOf(earlierAttempts);
    }
}
