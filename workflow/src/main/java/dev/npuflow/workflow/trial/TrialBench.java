package dev.npuflow.workflow.trial;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.skill.Placement;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.SkillOption;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Where skills are tried: the one place that makes a skill's context, asks it, and compiles what it proposes.
///
/// @param compiler answers with what keeps a plan from compiling
/// @param options  of all skills, as [dev.npuflow.workflow.catalog.SkillCatalog#requireOptions] lets them pass
/// @param limit    of one call of a skill
public record TrialBench(Set<DeviceTrait> traits, Placement placement, Function<Deployment, List<Blocker>> compiler, SortedMap<String, String> options, Duration limit) {

    /// A skill that answers every blocker with another plan is stopped after so many: enough for the merge to find that nothing goes with nothing in an LM head of
    /// nineteen launches.
    public static final int MOST_COMPILATIONS = 24;

    public TrialBench {
        options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
    }

    public Trial run(LoadedSkill loaded, Deployment before, Phase phase, TrialWatch watch) {
        return new SkillTrial(new GuardedSkill(loaded, limit), before, context(loaded, phase), compiler, watch).run();
    }

    /// A skill sees its own options alone.
    private SkillContext context(LoadedSkill loaded, Phase phase) {
        SortedMap<String, String> own = new TreeMap<>(options);
        own.keySet().retainAll(loaded.options().stream().map(SkillOption::name).collect(Collectors.toUnmodifiableSet()));
        return new SkillContext(phase, traits, own, placement, List.of());
    }
}
