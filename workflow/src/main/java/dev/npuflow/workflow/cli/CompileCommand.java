package dev.npuflow.workflow.cli;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.text.ShortHash;
import dev.npuflow.workflow.text.TextOutput;
import java.io.PrintWriter;
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

    @Option(names = "--json", description = "machine-readable output")
    private boolean json;

    /// One ELF of the output.
    record Elf(String phase, String name, List<String> launches, int arguments, String bufferKey, boolean pingPong) {}

    @Override public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (Progress progress = options.progress(spec.commandLine().getErr(), 2);
                OpenedDeployment opened = OpenedDeployment.open(options, progress)) {
            Deployment deployment = opened.plan(plan);
            progress.next("compiling");
            List<Blocker> blockers = opened.target().compile(deployment);
            progress.clear();
            List<Elf> elfs = elfs(deployment);
            if (json) {
                Map<String, Object> root = new LinkedHashMap<>();
                root.put("model", opened.model().name());
                root.put("plan", deployment.hash());
                root.put("device", opened.device().name());
                root.put("elfs", elfs);
                root.put("blockers", blockers);
                JsonOutput.print(out, root);
            } else {
                print(Terminal.text(spec), "plan %s on %s".formatted(ShortHash.of(deployment.hash()), opened.device().name()), elfs, blockers);
            }
            return (blockers.isEmpty() ? ExitCode.PASSED : ExitCode.GATE_FAILED).code();
        }
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
