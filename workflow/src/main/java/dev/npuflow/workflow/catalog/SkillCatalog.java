package dev.npuflow.workflow.catalog;

import dev.npuflow.skill.Skill;
import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.file.FileReason;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The skills at hand: the built-in ones and those of `--skills-dir` jars. One bad provider hides no good one: it is listed with its reason.
public final class SkillCatalog {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    private static final int LONGEST_NAME = 64;
    private static final int MOST_BAD_PROVIDERS = 100;

    /// In the order in which a decode optimization is worth trying (reference document §A.3); others follow by name.
    private static final List<String> USUAL_ORDER =
            List.of("opt-merge-multi-launch-kernels", "opt-fuse-decode-ffn", "opt-herd-sizing", "opt-buffer-object-reuse", "opt-layout-alignment");

    private final List<LoadedSkill> skills;
    private final List<RejectedSkill> rejected;

    private SkillCatalog(List<LoadedSkill> skills, List<RejectedSkill> rejected) {
        this.skills = List.copyOf(skills);
        this.rejected = List.copyOf(rejected);
    }

    /// @param origin `built-in` or the jar's file name
    public record LoadedSkill(String name, Skill skill, String origin) {}

    /// A provider that could not be used, and why.
    public record RejectedSkill(String origin, String reason) {}

    /// @param skillsDirectory holds jars; empty for the built-in skills alone
    public static SkillCatalog load(Optional<Path> skillsDirectory) {
        List<LoadedSkill> skills = new ArrayList<>();
        List<RejectedSkill> rejected = new ArrayList<>();
        collect(SkillCatalog.class.getClassLoader(), "built-in", skills, rejected);
        skillsDirectory.map(SkillCatalog::jars).orElse(List.of()).forEach(jar -> collect(loader(jar), jar.getFileName().toString(), skills, rejected));
        skills.sort(Comparator.comparingInt((LoadedSkill loaded) -> rank(loaded.name())).thenComparing(LoadedSkill::name));
        return new SkillCatalog(skills, rejected);
    }

    /// A catalog of given skills, for programs that embed the loop.
    public static SkillCatalog of(List<Skill> skills) {
        return new SkillCatalog(skills.stream().map(skill -> new LoadedSkill(skill.name(), skill, "given")).toList(), List.of());
    }

    public List<LoadedSkill> skills() {
        return skills;
    }

    public List<RejectedSkill> rejected() {
        return rejected;
    }

    /// The named skills in the named order; all in the usual order if none is named.
    ///
    /// @throws NpuflowException NPF-701 for a name that is not there
    public List<LoadedSkill> select(List<String> names) {
        if (names.isEmpty()) {
            return skills;
        }
        return names.stream().distinct().map(name -> skills.stream().filter(loaded -> loaded.name().equals(name)).findFirst()
                .orElseThrow(() -> NpuflowException.badInput("NPF-701", "skill (%s)".formatted(name),
                        "one of " + String.join(", ", skills.stream().map(LoadedSkill::name).toList()), "npuflow skills"))).toList();
    }

    private static int rank(String name) {
        int known = USUAL_ORDER.indexOf(name);
        return known < 0 ? USUAL_ORDER.size() : known;
    }

    private static List<Path> jars(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw NpuflowException.badInput("NPF-702", "--skills-dir (%s)".formatted(directory), "a folder with jars", "the folder that holds them");
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        } catch (IOException e) {
            throw NpuflowException.environment("NPF-703", "--skills-dir (%s: %s)".formatted(directory, FileReason.of(e)), "a readable folder", "its permissions");
        }
    }

    private static ClassLoader loader(Path jar) {
        try {
            return new URLClassLoader(new URL[] {jar.toUri().toURL()}, SkillCatalog.class.getClassLoader());
        } catch (MalformedURLException e) {
            throw new IllegalStateException("a file always has a URL", e);
        }
    }

    /// A jar's loader also sees the built-in providers of its parent; only those that it loaded itself are its own.
    private static void collect(ClassLoader loader, String origin, List<LoadedSkill> skills, List<RejectedSkill> rejected) {
        Iterator<ServiceLoader.Provider<Skill>> providers = ServiceLoader.load(Skill.class, loader).stream().iterator();
        int failures = 0;
        while (failures < MOST_BAD_PROVIDERS) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                ServiceLoader.Provider<Skill> provider = providers.next();
                if (provider.type().getClassLoader() == loader) {
                    accept(provider.get(), origin, skills, rejected);
                }
            } catch (ServiceConfigurationError | LinkageError | StackOverflowError | RuntimeException | AssertionError e) {
                failures++;
                rejected.add(new RejectedSkill(origin, firstLine(e)));
            }
        }
    }

    private static void accept(Skill skill, String origin, List<LoadedSkill> skills, List<RejectedSkill> rejected) {
        String name = Objects.requireNonNullElse(skill.name(), "");
        if (name.length() > LONGEST_NAME || !NAME.matcher(name).matches()) {
            rejected.add(new RejectedSkill(origin, "%s: its name is not lower case words joined by hyphens".formatted(skill.getClass().getName())));
        } else if (skills.stream().anyMatch(loaded -> loaded.name().equals(name))) {
            rejected.add(new RejectedSkill(origin, "%s: the name %s is taken".formatted(skill.getClass().getName(), name)));
        } else {
            skills.add(new LoadedSkill(name, skill, origin));
        }
    }

    static String firstLine(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String message = String.valueOf(root.getMessage()).lines().findFirst().orElse("");
        return "%s: %s".formatted(root.getClass().getSimpleName(), message.length() > 160 ? message.substring(0, 160) + "…" : message);
    }
}
