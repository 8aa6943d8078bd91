package dev.npuflow.workflow.control;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.trial.Trial;
import dev.npuflow.workflow.trial.TrialWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;

/// Plans that are right and no baseline: other tiles and other sums, fused kernels, merged calls, buffers that stay. Built-in skills make them.
public final class RightPlans {

    private static final String BASELINE = "the baseline";
    private static final String ALONE = "one skill";
    private static final String IN_A_ROW = "skills in a row";

    private final Target target;
    private final Duration limit;
    private final Deployment baseline;
    private final List<Control> controls = new ArrayList<>();
    private final Set<String> known = new LinkedHashSet<>();

    private RightPlans(Target target, Duration limit) {
        this.target = target;
        this.limit = limit;
        this.baseline = target.baseline();
    }

    /// The baseline, each skill alone in each phase, and all in a row, under each of the options; a plan that comes up twice is tried once.
    ///
    /// @param limit   time one call of a skill may take
    /// @param options sets of options to hand to the skills
    public static List<Control> of(Target target, List<LoadedSkill> skills, Duration limit, List<SortedMap<String, String>> options) {
        RightPlans plans = new RightPlans(target, limit);
        plans.add(BASELINE, "", plans.baseline);
        for (SortedMap<String, String> given : options) {
            Deployment all = plans.baseline;
            for (Phase phase : Phase.values()) {
                for (LoadedSkill skill : skills) {
                    plans.after(plans.baseline, skill, phase, given).ifPresent(plan ->
                            plans.add(ALONE, place(skill, phase, given), plan));
                    all = plans.after(all, skill, phase, given).orElse(all);
                    plans.add(IN_A_ROW, "up to " + place(skill, phase, given), all);
                }
            }
        }
        return List.copyOf(plans.controls);
    }

    /// Whether a control of [#of] can have this text in its kind or its name; no skill is asked.
    public static boolean canHold(String text, List<LoadedSkill> skills, List<SortedMap<String, String>> options) {
        Stream<String> places = options.stream().flatMap(given -> Stream.of(Phase.values()).flatMap(phase -> skills.stream().map(skill -> "up to " + place(skill, phase, given))));
        return Stream.concat(Stream.of(BASELINE, ALONE, IN_A_ROW), places).anyMatch(name -> name.contains(text));
    }

    private static String place(LoadedSkill skill, Phase phase, SortedMap<String, String> options) {
        return "%s in %s%s".formatted(skill.name(), phase.name().toLowerCase(Locale.ROOT), options.isEmpty() ? "" : " with " + options);
    }

    private Optional<Deployment> after(Deployment plan, LoadedSkill skill, Phase phase, SortedMap<String, String> options) {
        return target.bench(options, limit).run(skill, plan, phase, TrialWatch.NONE) instanceof Trial.Compiled(Assessment.Proposal proposal)
                ? Optional.of(proposal.plan()) : Optional.empty();
    }

    private void add(String kind, String name, Deployment plan) {
        if (known.add(plan.hash())) {
            controls.add(Control.rightPlan(kind, name, plan));
        }
    }
}
