package dev.npuflow.workflow.scaffold;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.skill.Skill;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillName;
import dev.npuflow.workflow.file.FileReason;
import dev.npuflow.workflow.report.Templates;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.SourceVersion;

/// Writes the directory of a new skill, a whole one or none: a skill that works, its test, and what builds it with Maven or with javac alone.
public final class SkillScaffold {

    /// The package of a skill whose author names none.
    public static final String USUAL_PACKAGE = "example";

    private static final String SUFFIX = "Skill";
    private static final int LONGEST_PACKAGE = 100;
    /// What begins with `java` belongs to Java.
    private static final Pattern PACKAGE = Pattern.compile("(?!java\\b)[a-z0-9_.]+");

    private final String name;
    private final String packageName;
    private final Path target;

    private SkillScaffold(String name, String packageName, Path target) {
        this.name = name;
        this.packageName = packageName;
        this.target = target;
    }

    /// @param directory the new one; empty for one of the skill's name in the working directory
    /// @throws NpuflowException NPF-708 for a name that a skill cannot have, NPF-709 for one that is taken, NPF-712 for a package that Java does not take
    public static SkillScaffold of(String name, String packageName, Optional<Path> directory) {
        if (!SkillName.fits(name)) {
            throw NpuflowException.badInput("NPF-708", "skill (%s)".formatted(name), "lower case words and digits, joined by hyphens, at most 64 characters", "my-skill");
        }
        if (SkillCatalog.load(Optional.empty()).skills().stream().anyMatch(skill -> skill.name().equals(name))) {
            throw NpuflowException.badInput("NPF-709", "skill (%s)".formatted(name), "a name that no built-in skill has", "my-%s".formatted(name));
        }
        if (packageName.length() > LONGEST_PACKAGE || !PACKAGE.matcher(packageName).matches() || !SourceVersion.isName(packageName, SourceVersion.latest())) {
            throw NpuflowException.badInput("NPF-712", "--package (%s)".formatted(packageName), "a Java package in lower case", "com.example");
        }
        return new SkillScaffold(name, packageName, directory.orElseGet(() -> Path.of(name)));
    }

    public Path target() {
        return target;
    }

    /// @return the files of the new directory, from there on
    /// @throws NpuflowException NPF-710 if it exists, NPF-711 if it cannot be written
    public List<Path> write() {
        requireFree();
        SequencedMap<Path, String> files = files();
        try {
            UnfinishedDirectory.fill(target, directory -> fill(directory, files));
        } catch (FileAlreadyExistsException e) {
            requireFree();
            throw unwritable(e);
        } catch (IOException e) {
            throw unwritable(e);
        }
        return List.copyOf(files.keySet());
    }

    private void requireFree() {
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw NpuflowException.badInput("NPF-710", "directory (%s)".formatted(target), "one that is not there yet", "--dir with another");
        }
    }

    private NpuflowException unwritable(IOException e) {
        return NpuflowException.environment("NPF-711", "%s (%s)".formatted(target, e instanceof InterruptedIOException ? "interrupted" : FileReason.of(e)),
                "a place in a directory that is there and can be written", "--dir with another");
    }

    private static void fill(Path directory, Map<Path, String> files) throws IOException {
        for (Map.Entry<Path, String> file : files.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
            if (path.toString().endsWith(".sh") && Files.getFileAttributeView(path, PosixFileAttributeView.class) != null) {
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    /// Each file's path in the directory, and its text.
    private SequencedMap<Path, String> files() {
        String path = packageName.replace('.', '/');
        Map<String, Object> view = Map.of("name", name, "package", packageName, "path", path, "type", type(), "title", title());
        SequencedMap<Path, String> files = new LinkedHashMap<>();
        files.put(Path.of("README.md"), render("README.md", view));
        files.put(Path.of("SKILL.md"), render("SKILL.md", view));
        files.put(Path.of("pom.xml"), render("pom.xml", view));
        files.put(Path.of("build.sh"), render("build.sh", view));
        files.put(Path.of(".gitignore"), "/target/\n/.npuflow/\n");
        files.put(Path.of("src/main/java", path, type() + ".java"), render("Skill.java", view));
        files.put(Path.of("src/main/resources/META-INF/services", Skill.class.getName()), packageName + "." + type() + "\n");
        files.put(Path.of("src/test/java", path, type() + "Test.java"), render("SkillTest.java", view));
        return files;
    }

    private static String render(String template, Map<String, Object> view) {
        return Templates.render("skill/" + template + ".ftl", view);
    }

    /// Such as `MergeAllSkill` for `merge-all`: with the suffix it is no name that the class imports.
    private String type() {
        String words = Arrays.stream(name.split("-")).map(SkillScaffold::capitalized).collect(Collectors.joining());
        return words.endsWith(SUFFIX) && !words.equals(SUFFIX) ? words : words + SUFFIX;
    }

    private String title() {
        return capitalized(name.replace('-', ' '));
    }

    private static String capitalized(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
