package dev.npuflow.workflow.cli.sim.aie;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.aie.measured.FamilyErrors;
import dev.npuflow.npu.aie.measured.KernelCase;
import dev.npuflow.npu.aie.measured.KernelValidation;
import dev.npuflow.npu.calibration.Observation;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.workflow.cli.Progress;
import dev.npuflow.workflow.cli.sim.MachineCommands.Judged;
import dev.npuflow.workflow.cli.sim.MachineCommands.Validation;
import dev.npuflow.workflow.cli.sim.MeasuredFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Kernels and deployments that were measured on silicon, from files.
final class MeasuredRows implements Validation {

    @Override public Judged validate(DeviceDescription device, MeasuredFiles files, Progress progress) {
        requireFile("sim validate", files);
        List<KernelCase> cases = files.kernels().map(KernelCase::read).orElse(List.of());
        progress.next("simulating kernels");
        KernelValidation.Result kernels = new KernelValidation(device).validate(cases);
        progress.next("simulating deployments");
        ModelValidation.Result deployments = new ModelValidation(device, files.configs()).validate(files.models());
        double worst = Stream.concat(kernels.families().stream(), deployments.families().stream()).mapToDouble(FamilyErrors::mean).max().orElse(0);
        return new Judged(ValidationView.of(device, files, kernels, deployments), worst);
    }

    @Override public List<Observation> observations(DeviceDescription device, MeasuredFiles files, Set<String> without) {
        requireFile("sim calibrate", files);
        LaunchClock clock = new LaunchClock();
        List<Observation> observations = new ArrayList<>();
        files.kernels().ifPresent(kernels -> KernelValidation.observations(KernelCase.read(kernels), device, clock).stream().filter(row -> !without.contains(row.id()))
                .forEach(observations::add));
        observations.addAll(ModelValidation.observations(files.models(), files.configs(), device, without, clock));
        return observations;
    }

    private static void requireFile(String command, MeasuredFiles files) {
        if (files.isEmpty()) {
            throw NpuflowException.badInput("NPF-821", command + " without a file", "--kernels or --models", "--kernels kernels.csv");
        }
    }
}
