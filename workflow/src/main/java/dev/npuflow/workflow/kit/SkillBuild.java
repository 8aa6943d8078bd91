package dev.npuflow.workflow.kit;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.skill.Skill;
import dev.npuflow.workflow.file.FileReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A built skill: its classes, and its tests where they are at hand.
///
/// @param classes a jar, or a directory of classes
/// @param tests   a directory of test classes
public record SkillBuild(Path classes, Optional<Path> tests) {

    private static final Path SERVICES = Path.of("META-INF", "services", Skill.class.getName());

    /// @param place a jar, a directory of classes, the directory of a skill with `target/classes`, or one of jars
    /// @throws NpuflowException NPF-713 if none of them is there, NPF-714 if it cannot be read
    public static List<SkillBuild> at(Path place) {
        if (Files.isRegularFile(place)) {
            return List.of(new SkillBuild(place, Optional.empty()));
        }
        if (Files.isRegularFile(place.resolve(SERVICES))) {
            return List.of(new SkillBuild(place, Optional.empty()));
        }
        Path built = place.resolve("target").resolve("classes");
        if (Files.isDirectory(built)) {
            return List.of(new SkillBuild(built, Optional.of(place.resolve("target").resolve("test-classes")).filter(Files::isDirectory)));
        }
        List<SkillBuild> jars = jars(place);
        if (jars.isEmpty()) {
            throw NpuflowException.badInput("NPF-713", "skill (%s)".formatted(place), "a jar, a directory of classes, or a skill's directory that was built",
                    Files.isRegularFile(place.resolve("build.sh")) ? "sh %s first".formatted(place.resolve("build.sh")) : "npuflow skills new, which makes one");
        }
        return jars;
    }

    private static List<SkillBuild> jars(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar") && !Files.isDirectory(file)).sorted().map(jar -> new SkillBuild(jar, Optional.empty())).toList();
        } catch (IOException e) {
            throw NpuflowException.environment("NPF-714", "skill (%s: %s)".formatted(directory, FileReason.of(e)), "a readable directory", "its permissions");
        }
    }

    /// The class path, the skill's own classes first.
    public List<Path> classPath() {
        return Stream.concat(Stream.of(classes), tests.stream()).toList();
    }
}
