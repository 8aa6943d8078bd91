package dev.npuflow.workflow.cli.skills;

import dev.npuflow.fault.OneLine;
import dev.npuflow.workflow.cli.JsonOutput;
import dev.npuflow.workflow.scaffold.SkillScaffold;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `npuflow skills new NAME`.
@Command(name = "new", mixinStandardHelpOptions = true,
        description = "Writes the directory of a new skill: one that works, its test, and what builds it with Maven or with javac alone.")
final class NewSkillCommand implements Callable<Integer> {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./@+=:,-]+");

    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "of the skill: lower case words and digits, joined by hyphens")
    private String name;

    @Option(names = "--dir", paramLabel = "DIR", description = "the new directory (default: NAME in the working directory)")
    private Optional<Path> directory = Optional.empty();

    @Option(names = "--package", paramLabel = "PACKAGE", defaultValue = SkillScaffold.USUAL_PACKAGE, description = "Java package of the skill (default: ${DEFAULT-VALUE})")
    private String packageName;

    @Option(names = "--json", description = "machine-readable output")
    private boolean json;

    @Override public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        SkillScaffold scaffold = SkillScaffold.of(name, packageName, directory);
        List<Path> files = scaffold.write();
        String target = quoted(scaffold.target().toString());
        String build = "sh %s/build.sh".formatted(target);
        String check = "npuflow skills check %s".formatted(target);
        String run = "npuflow phase5 tiny_kjv --skills-dir %s/target --only %s --workspace %s/.npuflow".formatted(target, name, target);
        String maven = "mvn -f %s/pom.xml verify".formatted(target);
        if (json) {
            Map<String, Object> root = new LinkedHashMap<>();
            root.put("name", name);
            root.put("directory", scaffold.target().toString());
            root.put("files", files.stream().map(Path::toString).toList());
            root.put("build", build);
            root.put("check", check);
            root.put("run", run);
            root.put("maven", maven);
            JsonOutput.print(out, root);
            return 0;
        }
        out.println("skill %s in %s".formatted(name, OneLine.of(target)));
        files.forEach(file -> out.println(OneLine.of("  " + file)));
        out.println("build it:   " + OneLine.of(build));
        out.println("check it:   " + OneLine.of(check));
        out.println("run it:     " + OneLine.of(run));
        out.println("with Maven: " + OneLine.of(maven) + "  (after 'make install' in npuflow's tree)");
        return 0;
    }

    /// As a shell takes it for one word.
    private static String quoted(String path) {
        return PLAIN.matcher(path).matches() ? path : "'" + path.replace("'", "'\\''") + "'";
    }
}
