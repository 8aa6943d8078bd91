package dev.npuflow.workflow.cli;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.text.ShortHash;
import dev.npuflow.workflow.text.TextOutput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow compile MODEL`.
@Command(name = "compile", mixinStandardHelpOptions = true, description = "Compiles the last kept plan, or the baseline: every ELF, or what blocks it.")
final class CompileCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;

    @Option(names = "--plan", defaultValue = "kept", description = "kept, baseline, or 8 digits or more of a plan's hash (default: ${DEFAULT-VALUE})")
    private String plan;

    @Mixin private Output output;

    /// One ELF of the output.
    record Elf(String phase, String name, List<String> launches, int arguments, String bufferKey, boolean pingPong) {}

    @Override public Integer call() {
        try (Progress progress = options.progress(spec.commandLine().getErr(), 2);
                OpenedDeployment opened = OpenedDeployment.open(options, progress)) {
            Deployment deployment = opened.plan(plan);
            progress.next("compiling");
            List<Blocker> blockers = opened.target().compile(deployment);
            progress.clear();
            List<Elf> elfs = elfs(deployment);
            output.show(text -> print(text, "plan %s on %s".formatted(ShortHash.of(deployment.hash()), opened.device().name()), elfs, blockers),
                    () -> tree(opened, deployment, elfs, blockers));
            return (blockers.isEmpty() ? ExitCode.PASSED : ExitCode.GATE_FAILED).code();
        }
    }

    private static Map<String, Object> tree(OpenedDeployment opened, Deployment deployment, List<Elf> elfs, List<Blocker> blockers) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("model", opened.model().name());
        root.put("plan", deployment.hash());
        root.put("device", opened.device().name());
        root.put("elfs", elfs);
        root.put("blockers", blockers);
        return root;
    }

    private static void print(TextOutput out, String plan, List<Elf> elfs, List<Blocker> blockers) {
        out.line(plan);
        elfs.forEach(elf -> out.line("  Compiled %s: %s, %d launches (%s)".formatted(elf.name(), elf.phase(), elf.launches().size(),
                String.join(", ", elf.launches()))));
        for (Blocker blocker : blockers) {
            out.line("  blocked %s: %s".formatted(blocker.launch(), blocker.limit()));
            out.line("    " + blocker.message());
            out.line("    cause: " + blocker.cause());
            out.line("    remedy: " + blocker.remedy());
        }
        out.line(blockers.isEmpty() ? "Compilation passed." : "Compilation failed.");
    }

    private static List<Elf> elfs(Deployment deployment) {
        List<Elf> elfs = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            deployment.phase(phase).calls().forEach(call -> elfs.add(elf(phase, call)));
        }
        return elfs;
    }

    private static Elf elf(Phase phase, NpuCall call) {
        return new Elf(phase.name().toLowerCase(Locale.ROOT), call.name(), call.launches().stream().map(launch -> launch.kernel() + " " + launch.name()).toList(),
                call.arguments().size(), call.bufferKey().name().toLowerCase(Locale.ROOT), call.options().pingPong());
    }
}
