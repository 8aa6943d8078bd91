package dev.npuflow.workflow.catalog;

import dev.npuflow.fault.NearestName;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillOption;
import dev.npuflow.workflow.file.FileReason;
import dev.npuflow.workflow.provenance.CodeHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The skills at hand: the built-in ones and those of `--skills-dir` jars. One bad provider hides no good one: it is listed with its reason.
public final class SkillCatalog {

    static final String BUILT_IN = "built-in";

    private final List<LoadedSkill> skills;
    private final List<RejectedSkill> rejected;

    private SkillCatalog(List<LoadedSkill> skills, List<RejectedSkill> rejected) {
        this.skills = List.copyOf(skills);
        this.rejected = List.copyOf(rejected);
    }

    /// A skill, and what it said of itself when it was loaded.
    ///
    /// @param origin  `built-in` or the jar's file name
    /// @param order   lower ones are tried first
    /// @param options that a user can set, each name once
    public record LoadedSkill(String name, Skill skill, String origin, int order, List<SkillOption> options) {

        public LoadedSkill {
            options = List.copyOf(options);
        }

        /// SHA-256 of its code: of a built-in skill's module by its classes, of another's jar by its bytes, as `sha256sum` prints it.
        ///
        /// @return 64 digits in hex, or `unknown` where no file holds it
        public String codeHash() {
            return CodeHash.place(skill.getClass())
                    .map(place -> origin.equals(BUILT_IN) || Files.isDirectory(place) ? CodeHash.ofEntries(place) : CodeHash.ofFile(place)).orElse("unknown");
        }

        /// A skill of a program that embeds the loop, or of a test.
        public static LoadedSkill given(String name, Skill skill) {
            return new LoadedSkill(name, skill, "given", skill.order(), skill.options());
        }
    }

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
        return new SkillCatalog(skills.stream().sorted(Comparator.comparingInt(LoadedSkill::order).thenComparing(LoadedSkill::name)).toList(), rejected);
    }

    /// A catalog of given skills, for programs that embed the loop.
    public static SkillCatalog of(List<Skill> skills) {
        return new SkillCatalog(skills.stream().map(skill -> LoadedSkill.given(skill.name(), skill)).toList(), List.of());
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
                .orElseThrow(() -> unknown(name))).toList();
    }

    private NpuflowException unknown(String name) {
        List<String> known = skills.stream().map(LoadedSkill::name).toList();
        Optional<String> near = NearestName.of(name, known);
        String list = "npuflow skills" + notLoaded();
        return NpuflowException.badInput("NPF-701", "skill", name, "one of " + String.join(", ", known),
                near.map(skill -> rejected.isEmpty() ? skill : "%s, or %s".formatted(skill, list)).orElse(list));
    }

    /// The options as a user gave them, if every name is one that a skill at hand declares and every value one that all skills that declare it take.
    ///
    /// @throws NpuflowException NPF-716 for a name that no skill declares, NPF-717 for a value
    public SortedMap<String, String> requireOptions(Map<String, String> given) {
        given.forEach((name, value) -> {
            List<SkillOption> declared = options().filter(option -> option.name().equals(name)).toList();
            if (declared.isEmpty()) {
                List<String> known = options().map(SkillOption::name).distinct().sorted().toList();
                throw NpuflowException.badInput("NPF-716", "--skill-option", name, known.isEmpty() ? "no option: no skill at hand has one" : "one of " + String.join(", ", known),
                        NearestName.of(name, known).map(nearest -> "--skill-option %s=%s".formatted(nearest, value)).orElse("npuflow skills, which lists them"));
            }
            declared.stream().filter(option -> !option.takes(value)).findFirst().ifPresent(option -> {
                throw NpuflowException.badInput("NPF-717", "--skill-option " + name, value, option.expected(), "--skill-option %s=%s".formatted(name, nearest(option, value)));
            });
        });
        return Collections.unmodifiableSortedMap(new TreeMap<>(given));
    }

    /// A value in capitals is probably the same one in small letters.
    private static String nearest(SkillOption option, String value) {
        String small = value.toLowerCase(Locale.ROOT);
        return option.takes(small) ? small : option.usual();
    }

    private Stream<SkillOption> options() {
        return skills.stream().flatMap(skill -> skill.options().stream());
    }

    private String notLoaded() {
        return rejected.isEmpty() ? "" : ", which says why %s was not loaded".formatted(String.join(", ", rejected.stream().map(RejectedSkill::origin).distinct().toList()));
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
