package dev.npuflow.workflow.cli;

import dev.npuflow.skill.SkillOption;
import dev.npuflow.workflow.catalog.SkillCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/// Lists the options of the built-in skills in the help of each command that has `--skill-option`. The skills are loaded when the help is shown and not before.
final class SkillOptionHelp {

    private static final String SECTION = "skillOptions";

    private SkillOptionHelp() {}

    static void install(CommandLine command) {
        if (command.getCommandSpec().findOption("--skill-option") != null) {
            List<String> keys = new ArrayList<>(command.getHelpSectionKeys());
            keys.add(keys.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), SECTION);
            command.setHelpSectionKeys(keys);
            command.getHelpSectionMap().put(SECTION, SkillOptionHelp::text);
        }
        command.getSubcommands().values().forEach(SkillOptionHelp::install);
    }

    private static String text(Help help) {
        List<SkillOption> options = SkillCatalog.load(Optional.empty()).skills().stream().flatMap(skill -> skill.options().stream()).toList();
        Help.TextTable table = Help.TextTable.forColumnWidths(help.colorScheme(), 4, 24, help.commandSpec().usageMessage().width() - 28);
        options.forEach(option -> table.addRowValues("", "%s=%s".formatted(option.name(), option.usual()), "%s (%s)".formatted(option.summary(), option.expected())));
        return "Options of the built-in skills and their usual values; npuflow skills lists those of others:%n%s".formatted(table);
    }
}
