package dev.npuflow.workflow.cli.skills;

import dev.npuflow.fault.OneLine;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.scaffold.SkillScaffold;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `npuflow skills new NAME`.
@Command(name = "new", mixinStandardHelpOptions = true,
        description = "Writes the directory of a new skill: one that works, its test, and what builds it with Maven or with javac alone.")
final class NewSkillCommand implements Callable<Integer> {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./@+=:,-]+");

    @Parameters(index = "0", paramLabel = "NAME", description = "of the skill: lower case words and digits, joined by hyphens")
    private String name;

    @Option(names = "--dir", paramLabel = "DIR", description = "the new directory (default: NAME in the working directory)")
    private Optional<Path> directory = Optional.empty();

    @Option(names = "--package", paramLabel = "PACKAGE", defaultValue = SkillScaffold.USUAL_PACKAGE, description = "Java package of the skill (default: ${DEFAULT-VALUE})")
    private String packageName;

    @Mixin private Output output;

    @Override public Integer call() {
        SkillScaffold scaffold = SkillScaffold.of(name, packageName, directory);
        List<Path> files = scaffold.write();
        String target = quoted(scaffold.target().toString());
        String build = "sh %s/build.sh".formatted(target);
        String check = "npuflow skills check %s".formatted(target);
        String run = "npuflow phase5 tiny_kjv --skills-dir %s/target --only %s --workspace %s/.npuflow".formatted(target, name, target);
        String maven = "mvn -f %s/pom.xml verify".formatted(target);
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("name", name);
        root.put("directory", scaffold.target().toString());
        root.put("files", files.stream().map(Path::toString).toList());
        root.put("build", build);
        root.put("check", check);
        root.put("run", run);
        root.put("maven", maven);
        output.show(text -> {
            text.layout("skill %s in %s".formatted(name, OneLine.of(target)));
            files.forEach(file -> text.layout(OneLine.of("  " + file)));
            text.layout("build it:   " + OneLine.of(build));
            text.layout("check it:   " + OneLine.of(check));
            text.layout("run it:     " + OneLine.of(run));
            text.layout("with Maven: " + OneLine.of(maven) + "  (after 'make install' in npuflow's tree)");
        }, () -> root);
        return 0;
    }

    /// As a shell takes it for one word.
    private static String quoted(String path) {
        return PLAIN.matcher(path).matches() ? path : "'" + path.replace("'", "'\\''") + "'";
    }
}
