package dev.npuflow.workflow.cli;

import dev.npuflow.skill.FailureMode;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow skills`.
@Command(name = "skills", mixinStandardHelpOptions = true, description = "Lists the skills at hand, in the order a phase tries them, and what could not be loaded.")
final class SkillsCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Option(names = "--skills-dir", paramLabel = "DIR", description = "folder with jars of more skills")
    private Path skillsDirectory;

    @Option(names = "--json", description = "machine-readable output")
    private boolean json;

    /// One skill of the output.
    record Listed(String name, String origin, boolean changesArithmetic, String description, List<FailureMode> failureModes) {}

    @Override public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        SkillCatalog catalog = SkillCatalog.load(Optional.ofNullable(skillsDirectory));
        List<Listed> listed = catalog.skills().stream().map(SkillsCommand::list).toList();
        if (json) {
            Map<String, Object> root = new LinkedHashMap<>();
            root.put("skills", listed);
            root.put("rejected", catalog.rejected());
            JsonOutput.print(out, root);
            return 0;
        }
        for (Listed skill : listed) {
            out.printf(Locale.ROOT, "%s (%s)%n  %s%n", skill.name(), skill.origin(), skill.description());
            skill.failureModes().forEach(mode -> out.printf(Locale.ROOT, "  - %s: %s; %s%n", mode.symptom(), mode.cause(), mode.remedy()));
        }
        catalog.rejected().forEach(rejected -> out.printf(Locale.ROOT, "not loaded (%s): %s%n", rejected.origin(), rejected.reason()));
        return 0;
    }

    private static Listed list(LoadedSkill loaded) {
        return new Listed(loaded.name(), loaded.origin(), loaded.skill().changesArithmetic(), SkillDescription.of(loaded.skill()),
                loaded.skill().failureModes());
    }
}
