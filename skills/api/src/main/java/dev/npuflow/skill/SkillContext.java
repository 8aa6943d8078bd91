package dev.npuflow.skill;

import dev.npuflow.plan.Phase;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a skill may know besides the plan.
///
/// @param phase           the phase whose plan the skill may change
/// @param traits          of the device
/// @param options         what the user set of the skill's own [Skill#options], each a value that the option takes
/// @param earlierAttempts plans of this skill that did not compile, oldest first, in this phase and on this plan
public record SkillContext(Phase phase, Set<DeviceTrait> traits, SortedMap<String, String> options, Placement placement, List<Attempt> earlierAttempts) {

    public SkillContext {
        traits = Collections.unmodifiableSet(traits.isEmpty() ? EnumSet.noneOf(DeviceTrait.class) : EnumSet.copyOf(traits));
        options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
        earlierAttempts = List.copyOf(earlierAttempts);
    }

    public boolean isOn(SkillOption.Switch option) {
        return value(option).equals(SkillOption.Switch.ON);
    }

    public long number(SkillOption.Number option) {
        return Long.parseLong(value(option));
    }

    public String word(SkillOption.Word option) {
        return value(option);
    }

    private String value(SkillOption option) {
        return options.getOrDefault(option.name(), option.usual());
    }

    /// The first of these traits that the device lacks, as a reason not to apply.
    public Optional<String> lacks(Collection<DeviceTrait> needed) {
        return needed.stream().filter(trait -> !traits.contains(trait)).findFirst().map(trait -> "the device does not " + trait.ability());
    }

    /// The same question after more attempts.
    public SkillContext after(List<Attempt> attempts) {
        return new SkillContext(phase, traits, options, placement, attempts);
    }
}
