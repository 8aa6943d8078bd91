package dev.npuflow.skill.testkit;

import dev.npuflow.skill.Skill;
import dev.npuflow.workflow.catalog.SkillDescription;
import java.util.ArrayList;
import java.util.List;

/// What a skill's SKILL.md lacks. It has to have front matter with its name and a description, a section each for purpose, when it
/// applies, what it does, self-check and failure modes, none of them empty, and under the last a table of at least one failure mode.
final class DescriptionFaults {

    private static final List<String> SECTIONS = List.of("Purpose", "When it applies", "What it does", "Self-check", "Failure modes");

    private DescriptionFaults() {}

    static List<String> of(Skill skill) {
        return SkillDescription.read(skill, skill.name()).map(text -> of(skill, text))
                .orElseGet(() -> List.of("no resource " + SkillDescription.path(skill.name())));
    }

    static List<String> of(Skill skill, String text) {
        List<String> faults = new ArrayList<>();
        List<String> lines = text.lines().toList();
        int end = lines.subList(Math.min(1, lines.size()), lines.size()).indexOf("---") + 1;
        if (lines.isEmpty() || !lines.getFirst().equals("---") || end == 0) {
            return List.of("no front matter between --- lines");
        }
        List<String> frontMatter = lines.subList(1, end);
        if (!frontMatter.contains("name: " + skill.name())) {
            faults.add("front matter without 'name: %s'".formatted(skill.name()));
        }
        if (frontMatter.stream().noneMatch(line -> line.matches("description: \\S.*"))) {
            faults.add("front matter without a description");
        }
        for (String section : SECTIONS) {
            int heading = lines.indexOf("## " + section);
            if (heading < 0) {
                faults.add("no section '%s'".formatted(section));
            } else if (lines.subList(heading + 1, lines.size()).stream().takeWhile(line -> !line.startsWith("## ")).allMatch(String::isBlank)) {
                faults.add("section '%s' is empty".formatted(section));
            }
        }
        if (SkillDescription.failureModes(text).isEmpty()) {
            faults.add("no row of symptom, cause and remedy under 'Failure modes'");
        }
        return faults;
    }
}
