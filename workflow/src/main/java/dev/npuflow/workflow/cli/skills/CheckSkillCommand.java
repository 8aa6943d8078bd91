package dev.npuflow.workflow.cli.skills;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.fault.OneLine;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.cli.SkillLimit;
import dev.npuflow.workflow.kit.KitResult;
import dev.npuflow.workflow.kit.KitResult.Outcome;
import dev.npuflow.workflow.kit.SkillBuild;
import dev.npuflow.workflow.kit.SkillCheck;
import dev.npuflow.workflow.text.TextOutput;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `npuflow skills check PLACE`.
@Command(name = "check", mixinStandardHelpOptions = true,
        description = "Runs the test kit on a built skill, with the tests of its author where they are at hand: exit 0 if all passes, else 1.")
final class CheckSkillCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "DIR|JAR", description = "a skill's directory that was built, a directory of classes or of jars, or a jar")
    private Path place;

    @Mixin private SkillLimit limit = new SkillLimit();

    @Mixin private Output output;

    @Override public Integer call() {
        List<SkillBuild> builds = SkillBuild.at(place);
        SkillCheck check = new SkillCheck(limit.duration());
        List<KitResult> results = builds.stream().flatMap(build -> check.check(build).stream()).toList();
        boolean passed = results.stream().noneMatch(result -> result.outcome() == Outcome.FAIL);
        output.show(text -> print(text, results), () -> tree(passed, results));
        return (passed ? ExitCode.PASSED : ExitCode.GATE_FAILED).code();
    }

    private static Map<String, Object> tree(boolean passed, List<KitResult> results) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("passed", passed);
        root.put("checks", results.stream().map(CheckSkillCommand::tree).toList());
        return root;
    }

    private static Map<String, Object> tree(KitResult result) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("subject", result.subject());
        tree.put("check", result.check());
        tree.put("outcome", result.outcome().word());
        tree.put("reason", result.reason());
        tree.put("trace", result.trace());
        tree.put("notes", result.notes());
        return tree;
    }

    private static void print(TextOutput out, List<KitResult> results) {
        String subject = "";
        for (KitResult result : results) {
            if (!result.subject().equals(subject)) {
                subject = result.subject();
                out.layout(OneLine.of(subject));
            }
            out.layout(OneLine.of("  %-7s  %s%s".formatted(result.outcome().word(), result.check(), result.reason().isEmpty() ? "" : ": " + result.reason())));
            result.trace().forEach(line -> out.layout(OneLine.of("             " + line)));
            result.notes().forEach(line -> out.layout(OneLine.of("             " + line)));
        }
        out.layout("%d checks: %d passed, %d failed, %d skipped".formatted(results.size(), count(results, Outcome.PASS), count(results, Outcome.FAIL),
                count(results, Outcome.SKIPPED)));
    }

    private static long count(List<KitResult> results, Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).count();
    }
}
