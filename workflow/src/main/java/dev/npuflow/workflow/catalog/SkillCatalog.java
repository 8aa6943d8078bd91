package dev.npuflow.workflow.catalog;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.skill.Skill;
import dev.npuflow.workflow.file.FileReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The skills at hand: the built-in ones and those of `--skills-dir` jars. One bad provider hides no good one: it is listed with its reason.
public final class SkillCatalog {

    static final String BUILT_IN = "built-in";

    /// In the order in which a decode optimization is worth trying (docs/upstream.md, "Order of the skills"); others follow by name.
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
    ///
    /// @param trace what it threw and its own frames, a line each
    public record RejectedSkill(String origin, String reason, List<String> trace) {

        public RejectedSkill {
            trace = List.copyOf(trace);
        }
    }

    /// @param skillsDirectory holds jars; empty for the built-in skills alone
    public static SkillCatalog load(Optional<Path> skillsDirectory) {
        return load(skillsDirectory, GuardedSkill.USUAL_LIMIT);
    }

    /// @param limit of one call of a skill, here of its constructor
    public static SkillCatalog load(Optional<Path> skillsDirectory, Duration limit) {
        SkillProviders providers = new SkillProviders(limit);
        providers.collect(SkillCatalog.class.getClassLoader(), BUILT_IN);
        skillsDirectory.map(SkillCatalog::jars).orElse(List.of()).forEach(providers::collect);
        return providers.catalog();
    }

    /// The skills that the files and directories of classes hold, and no built-in one.
    ///
    /// @param loader of those classes
    /// @param origin of what is found
    public static SkillCatalog loadOnly(ClassLoader loader, String origin, Duration limit) {
        SkillProviders providers = new SkillProviders(limit);
        providers.collect(loader, origin);
        return providers.catalog();
    }

    static SkillCatalog sorted(List<LoadedSkill> skills, List<RejectedSkill> rejected) {
        return new SkillCatalog(skills.stream().sorted(Comparator.comparingInt((LoadedSkill loaded) -> rank(loaded.name())).thenComparing(LoadedSkill::name)).toList(),
                rejected);
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
                .orElseThrow(() -> NpuflowException.badInput("NPF-701", "skill", name,
                        "one of " + String.join(", ", skills.stream().map(LoadedSkill::name).toList()), "npuflow skills" + notLoaded()))).toList();
    }

    private String notLoaded() {
        return rejected.isEmpty() ? "" : ", which says why %s was not loaded".formatted(String.join(", ", rejected.stream().map(RejectedSkill::origin).distinct().toList()));
    }

    private static int rank(String name) {
        int known = USUAL_ORDER.indexOf(name);
        return known < 0 ? USUAL_ORDER.size() : known;
    }

    private static List<Path> jars(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw NpuflowException.badInput("NPF-702", "--skills-dir", directory, "a folder with jars", "the folder that holds them");
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar") && !Files.isDirectory(file)).sorted().toList();
        } catch (IOException e) {
            throw NpuflowException.environment("NPF-703", "--skills-dir", "%s: %s".formatted(directory, FileReason.of(e)),
                    "a readable folder", "its permissions");
        }
    }
}
