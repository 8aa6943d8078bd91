package dev.npuflow.workflow.cli;

import dev.npuflow.skill.Skill;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The `description` of a skill's SKILL.md, which stands in its jar under `META-INF/npuflow/skills/<name>/`.
final class SkillDescription {

    private static final int MOST_BYTES = 64 << 10;

    private SkillDescription() {}

    static String of(Skill skill) {
        try (InputStream file = skill.getClass().getClassLoader().getResourceAsStream("META-INF/npuflow/skills/%s/SKILL.md".formatted(skill.name()))) {
            if (file == null) {
                return "(no SKILL.md)";
            }
            String text = new String(file.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            return text.lines().filter(line -> line.startsWith("description:")).map(line -> line.substring("description:".length()).strip())
                    .findFirst().orElse("(SKILL.md has no description)");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
