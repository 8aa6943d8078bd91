package dev.npuflow.workflow.cli.skills;

import dev.npuflow.skill.FailureMode;
import dev.npuflow.workflow.catalog.Answer;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.catalog.SkillDescription;
import dev.npuflow.workflow.cli.JsonOutput;
import dev.npuflow.workflow.cli.SkillLimit;
import dev.npuflow.workflow.cli.Terminal;
import dev.npuflow.workflow.text.TextOutput;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow skills`.
@Command(name = "skills", mixinStandardHelpOptions = true, subcommands = {NewSkillCommand.class, CheckSkillCommand.class},
        description = "Lists the skills at hand, in the order a phase tries them, and what could not be loaded; new writes a skill's directory, check runs the test kit on one.")
public final class SkillsCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Option(names = "--skills-dir", paramLabel = "DIR", description = "folder with jars of more skills")
    private Path skillsDirectory;

    @Mixin private SkillLimit limit = new SkillLimit();

    @Option(names = "--json", description = "machine-readable output")
    private boolean json;

    /// One skill of the output.
    ///
    /// @param faults what the skill could not say of itself, one line each
    record Listed(String name, String origin, boolean changesArithmetic, String description, List<FailureMode> failureModes, List<String> faults) {}

    @Override public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        SkillCatalog catalog = SkillCatalog.load(Optional.ofNullable(skillsDirectory), limit.duration());
        List<Listed> listed = catalog.skills().stream().map(this::list).toList();
        if (json) {
            Map<String, Object> root = new LinkedHashMap<>();
            root.put("skills", listed);
            root.put("rejected", catalog.rejected());
            JsonOutput.print(out, root);
            return 0;
        }
        TextOutput text = Terminal.text(spec);
        for (Listed skill : listed) {
            text.line("%s (%s)".formatted(skill.name(), skill.origin()));
            text.line("  " + skill.description());
            skill.failureModes().forEach(mode -> text.line("  - %s: %s; %s".formatted(mode.symptom(), mode.cause(), mode.remedy())));
            skill.faults().forEach(fault -> text.line("  fault: " + fault));
        }
        catalog.rejected().forEach(rejected -> text.line("not loaded (%s): %s".formatted(rejected.origin(), rejected.reason())));
        return 0;
    }

    private Listed list(LoadedSkill loaded) {
        GuardedSkill skill = new GuardedSkill(loaded, limit.duration());
        List<String> faults = new ArrayList<>();
        return new Listed(loaded.name(), loaded.origin(), said(skill.changesArithmetic(), false, faults), SkillDescription.of(loaded.skill(), loaded.name()),
                said(skill.failureModes(), List.of(), faults), faults);
    }

    private static <T> T said(Answer<T> answer, T otherwise, List<String> faults) {
        return switch (answer) {
            case Answer.Value<T>(T value) -> value;
            case Answer.Refusal<T>(String reason, var _) -> unsaid(reason, otherwise, faults);
            case Answer.Crash<T>(var fault) -> unsaid(fault.reason(), otherwise, faults);
        };
    }

    private static <T> T unsaid(String reason, T otherwise, List<String> faults) {
        faults.add(reason);
        return otherwise;
    }
}
