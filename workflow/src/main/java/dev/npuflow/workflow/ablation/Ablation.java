package dev.npuflow.workflow.ablation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedSet;
import java.util.stream.Stream;

/// The sets of skills that show interactions: none, each alone, all but one, all. All are measured on one baseline.
public record Ablation(List<String> skills, List<AblationRow> rows) {

    public Ablation {
        skills = List.copyOf(skills);
        rows = List.copyOf(rows);
    }

    /// The sets for these skills, none of them twice, the baseline first and all skills last.
    static List<List<String>> sets(List<String> skills) {
        SequencedSet<List<String>> sets = new LinkedHashSet<>();
        sets.add(List.of());
        skills.forEach(skill -> sets.add(List.of(skill)));
        skills.forEach(left -> sets.add(without(skills, left)));
        sets.remove(skills);
        List<List<String>> all = new ArrayList<>(sets);
        all.add(skills);
        return List.copyOf(all);
    }

    /// What one skill is worth.
    ///
    /// @param alone  milliseconds a token that it saves on the baseline
    /// @param onTop  milliseconds that it saves on top of all the others
    public record Interaction(String skill, double alone, double onTop) {

        /// Below 0 the skills do part of the same work; above, one makes room for the other.
        public double interaction() {
            return onTop - alone;
        }
    }

    /// Of each skill whose four plans were measured.
    public List<Interaction> interactions() {
        return skills.stream().flatMap(skill -> interaction(skill).stream()).toList();
    }

    private Optional<Interaction> interaction(String skill) {
        OptionalDouble none = milliseconds(List.of());
        OptionalDouble alone = milliseconds(List.of(skill));
        OptionalDouble others = milliseconds(without(skills, skill));
        OptionalDouble all = milliseconds(skills);
        boolean measured = Stream.of(none, alone, others, all).allMatch(OptionalDouble::isPresent);
        return measured ? Optional.of(new Interaction(skill, none.getAsDouble() - alone.getAsDouble(), others.getAsDouble() - all.getAsDouble()))
                : Optional.empty();
    }

    /// How many times faster than the baseline; empty where a figure is missing.
    public OptionalDouble speedUp(AblationRow row) {
        OptionalDouble none = milliseconds(List.of());
        return none.isPresent() && row.milliseconds().isPresent() ? OptionalDouble.of(none.getAsDouble() / row.milliseconds().getAsDouble())
                : OptionalDouble.empty();
    }

    private OptionalDouble milliseconds(List<String> set) {
        return rows.stream().filter(row -> row.skills().equals(set)).map(AblationRow::milliseconds).findFirst().orElse(OptionalDouble.empty());
    }

    private static List<String> without(List<String> skills, String left) {
        return skills.stream().filter(skill -> !skill.equals(left)).toList();
    }
}
