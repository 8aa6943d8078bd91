package dev.npuflow.workflow.cli.manual;

import dev.npuflow.workflow.cli.NpuflowCommand;
import dev.npuflow.workflow.file.WholeFile;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine;

/// All manual pages. The build runs it.
public final class Manual {

    private Manual() {}

    /// @param arguments the directory that the pages are written to
    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        pages(NpuflowCommand.commandLine()).forEach((file, page) -> WholeFile.replace(directory.resolve(file), page));
    }

    /// A page for the command and for each below it, by file name.
    static SortedMap<String, String> pages(CommandLine command) {
        SortedMap<String, String> pages = new TreeMap<>();
        pages.put(ManualPage.fileName(command.getCommandSpec()), ManualPage.of(command.getCommandSpec()));
        command.getSubcommands().values().forEach(sub -> pages.putAll(pages(sub)));
        return pages;
    }
}
