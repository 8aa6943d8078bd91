package dev.npuflow.workflow.catalog;

import dev.npuflow.fault.OneLine;
import dev.npuflow.skill.Skill;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A skill's SKILL.md, which stands beside its classes under `META-INF/npuflow/skills/<name>/`.
public final class SkillDescription {

    private static final int MOST_BYTES = 64 << 10;
    private static final int LONGEST_LINE = 400;
    private static final String FAILURE_MODES = "## Failure modes";
    private static final int HEADER_ROWS = 2;
    private static final int COLUMNS = 3;
    private static final int MOST_FAILURE_MODES = 64;

    private SkillDescription() {}

    /// Where it is looked for, in a jar or in a directory of classes.
    public static String path(String skill) {
        return "META-INF/npuflow/skills/%s/SKILL.md".formatted(skill);
    }

    /// The text, up to 64 KiB of it; empty where there is none that can be read.
    ///
    /// @param name of the skill
    public static Optional<String> read(Skill skill, String name) {
        try (InputStream file = skill.getClass().getClassLoader().getResourceAsStream(path(name))) {
            return file == null ? Optional.empty() : Optional.of(new String(file.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    /// Its `description`, or that there is none: one plain line.
    public static String of(Skill skill, String name) {
        return read(skill, name).map(text -> text.lines().filter(line -> line.startsWith("description:"))
                .map(line -> OneLine.of(line.substring("description:".length()), LONGEST_LINE)).findFirst().orElse("(SKILL.md has no description)"))
                .orElse("(no SKILL.md)");
    }

    /// The rows of the table under `## Failure modes`: symptom, cause, remedy. Empty where SKILL.md has none.
    public static List<FailureMode> failureModes(Skill skill, String name) {
        return read(skill, name).map(SkillDescription::failureModes).orElse(List.of());
    }

    /// The same of a text.
    public static List<FailureMode> failureModes(String text) {
        return text.lines().dropWhile(line -> !line.strip().equals(FAILURE_MODES)).skip(1).takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("|")).skip(HEADER_ROWS).map(SkillDescription::row).flatMap(Optional::stream).limit(MOST_FAILURE_MODES).toList();
    }

    private static Optional<FailureMode> row(String line) {
        List<String> cells = Arrays.stream(line.strip().substring(1).split("\\|", -1)).map(cell -> OneLine.of(cell.strip(), LONGEST_LINE)).toList();
        return cells.size() < COLUMNS || cells.getFirst().isEmpty() ? Optional.empty() : Optional.of(new FailureMode(cells.get(0), cells.get(1), cells.get(2)));
    }
}
