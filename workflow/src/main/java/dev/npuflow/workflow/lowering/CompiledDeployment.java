package dev.npuflow.workflow.lowering;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.compiler.Compilation;
import dev.npuflow.npu.compiler.Compiler;
import dev.npuflow.npu.compiler.Executable;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.skill.Blocker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// A plan with an executable for each of its NPU calls.
///
/// @param executables by phase and call name
public record CompiledDeployment(Deployment deployment, DeviceDescription device, Map<Phase, SortedMap<String, Executable>> executables,
        List<String> warnings) {

    /// Each executable is the one that its call describes: upstream's cache knows an ELF by its name alone, and takes an old one for a new plan.
    ///
    /// @throws NpuflowException NPF-244 for an executable that was built from another description
    public CompiledDeployment {
        for (Phase phase : Phase.values()) {
            SortedMap<String, Executable> built = executables.get(phase);
            deployment.phase(phase).calls().filter(call -> !built.containsKey(call.name()) || !built.get(call.name()).elf().equals(Lowering.lower(call)))
                    .findFirst().ifPresent(call -> {
                        throw NpuflowException.environment("NPF-244", "ELF of %s".formatted(call.name()), "one that was built from this plan",
                                "compiling again");
                    });
        }
    }

    /// What compiling a whole plan gives.
    public sealed interface Outcome {

        record Compiled(CompiledDeployment deployment) implements Outcome {}

        /// @param blockers with `phase/call` before the launch's name
        record Blocked(List<Blocker> blockers) implements Outcome {
            public Blocked {
                blockers = List.copyOf(blockers);
            }
        }
    }

    public static Outcome compile(Deployment deployment, DeviceDescription device) {
        Map<Phase, SortedMap<String, Executable>> executables = new EnumMap<>(Phase.class);
        List<Blocker> blockers = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            SortedMap<String, Executable> built = new TreeMap<>();
            PhasePlan plan = deployment.phase(phase);
            plan.calls().forEach(call -> {
                if (built.containsKey(call.name())) {
                    throw new IllegalArgumentException("two calls named %s in %s".formatted(call.name(), phase));
                }
                switch (Compiler.compile(Lowering.lower(call), device)) {
                    case Compilation.Built outcome -> {
                        built.put(call.name(), outcome.executable());
                        warnings.addAll(outcome.warnings());
                    }
                    case Compilation.Refused refused -> refused.blockers().stream()
                            .map(CompilerPlacement::forSkills).map(blocker -> PlanPlacement.inCall(phase, call, blocker)).forEach(blockers::add);
                }
            });
            executables.put(phase, Collections.unmodifiableSortedMap(built));
        }
        return blockers.isEmpty()
                ? new Outcome.Compiled(new CompiledDeployment(deployment, device, executables, List.copyOf(warnings)))
                : new Outcome.Blocked(blockers);
    }

    public Executable executable(Phase phase, String call) {
        return executables.get(phase).get(call);
    }
}
