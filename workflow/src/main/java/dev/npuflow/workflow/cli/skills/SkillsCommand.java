package dev.npuflow.workflow.cli.skills;

import dev.npuflow.skill.SkillOption;
import dev.npuflow.workflow.catalog.FailureMode;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.catalog.SkillDescription;
import dev.npuflow.workflow.cli.CommandGroup;
import dev.npuflow.workflow.cli.HelpCommand;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.cli.SkillLimit;
import dev.npuflow.workflow.text.TextOutput;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `npuflow skills`.
@Command(name = "skills", mixinStandardHelpOptions = true, subcommands = {NewSkillCommand.class, CheckSkillCommand.class, HelpCommand.class},
        description = "Lists the skills at hand, in the order a phase tries them, and what could not be loaded; new writes a skill's directory, check runs the test kit on one.")
public final class SkillsCommand implements CommandGroup, Callable<Integer> {

    @Option(names = "--skills-dir", paramLabel = "DIR", description = "folder with jars of more skills")
    private Path skillsDirectory;

    @Mixin private SkillLimit limit = new SkillLimit();

    @Mixin private Output output;

    /// One skill of the output.
    record Listed(String name, String origin, int order, String description, List<ListedOption> options, List<FailureMode> failureModes) {

        static Listed of(LoadedSkill loaded) {
            return new Listed(loaded.name(), loaded.origin(), loaded.order(), SkillDescription.of(loaded.skill(), loaded.name()),
                    loaded.options().stream().map(ListedOption::of).toList(), SkillDescription.failureModes(loaded.skill(), loaded.name()));
        }
    }

    /// @param values such as `on or off`
    record ListedOption(String name, String values, String usual, String summary) {

        static ListedOption of(SkillOption option) {
            return new ListedOption(option.name(), option.expected(), option.usual(), option.summary());
        }
    }

    @Override public Integer call() {
        SkillCatalog catalog = SkillCatalog.load(Optional.ofNullable(skillsDirectory), limit.duration());
        List<Listed> listed = catalog.skills().stream().map(Listed::of).toList();
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("skills", listed);
        root.put("rejected", catalog.rejected());
        output.show(text -> print(text, listed, catalog), () -> root);
        return 0;
    }

    private static void print(TextOutput text, List<Listed> listed, SkillCatalog catalog) {
        for (Listed skill : listed) {
            text.line("%s (%s)".formatted(skill.name(), skill.origin()));
            text.line("  " + skill.description());
            skill.options().forEach(option -> text.line("  --skill-option %s=%s (%s): %s".formatted(option.name(), option.usual(), option.values(), option.summary())));
            skill.failureModes().forEach(mode -> text.line("  - %s: %s; %s".formatted(mode.symptom(), mode.cause(), mode.remedy())));
        }
        catalog.rejected().forEach(rejected -> text.line("not loaded (%s): %s".formatted(rejected.origin(), rejected.reason())));
    }
}
