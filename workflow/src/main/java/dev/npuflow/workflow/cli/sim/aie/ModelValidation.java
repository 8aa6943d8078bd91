package dev.npuflow.workflow.cli.sim.aie;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.aie.measured.FamilyErrors;
import dev.npuflow.npu.aie.measured.FamilyErrors.Scored;
import dev.npuflow.npu.aie.measured.SimplerModels;
import dev.npuflow.npu.aie.measured.SimplerModels.Work;
import dev.npuflow.npu.calibration.Observation;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.estimate.Estimate;
import dev.npuflow.workflow.estimate.TextLength;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.lowering.PlanTiming;
import dev.npuflow.workflow.lowering.StepCost;
import dev.npuflow.workflow.lowering.aie.UpstreamAssembler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Holds the simulator to measured deployments: the plan as mlir-air deploys the model, timed for the text that was measured.
final class ModelValidation {

    /// Rows of whole deployments.
    static final String DECODE = "decode ms/token";
    /// Rows of launch groups inside a deployment.
    static final String GROUPS = "launch groups";

    /// Mean errors that the families should reach.
    private static final double DECODE_TARGET = 0.04;
    private static final double GROUP_TARGET = 0.08;

    private final DeviceDescription device;
    private final Optional<Path> configs;
    private final PlanTiming timing;

    /// @param configs holds `<model>/config.json`, which wins over a row's own dimensions
    ModelValidation(DeviceDescription device, Optional<Path> configs) {
        this(device, configs, new LaunchClock());
    }

    private ModelValidation(DeviceDescription device, Optional<Path> configs, LaunchClock clock) {
        this.device = device;
        this.configs = configs;
        this.timing = new PlanTiming(device, clock);
    }

    /// The rows as observations for a fit, but those named in `without`.
    ///
    /// @param device for which rows can be simulated at all
    /// @throws dev.npuflow.fault.NpuflowException NPF-310 to NPF-313 for a damaged file
    static List<Observation> observations(List<Path> files, Optional<Path> configs, DeviceDescription device, Set<String> without, LaunchClock clock) {
        List<Observation> observations = new ArrayList<>();
        for (Path file : files) {
            for (MeasuredModel measured : MeasuredModel.read(file)) {
                if (measured instanceof MeasuredModel.Timed timed && !without.contains(timed.rowId())) {
                    new ModelValidation(device, configs, clock).row(timed).ifPresent(row -> observations.add(new Observation(row.rowId(), row.family(),
                            row.model() + row.group(), row.measured(), row.family().equals(DECODE) ? DECODE_TARGET : GROUP_TARGET,
                            other -> new ModelValidation(other, configs, clock).row(timed).orElseThrow().simulated())));
                }
            }
        }
        return observations;
    }

    private Optional<ModelRow> row(MeasuredModel.Timed timed) {
        List<ModelRow> rows = new ArrayList<>();
        simulate(timed, rows, new ArrayList<>());
        return rows.stream().findFirst();
    }

    /// Milliseconds of a decode token, or of one call of a launch group; `error` is simulated over measured, minus one.
    ///
    /// @param family [#DECODE] or [#GROUPS]
    /// @param group  the launch group; empty for a decode token
    /// @param bytes  that the plan moves at least, for [SimplerModels]
    /// @param measuredFirstToken,simulatedFirstToken seconds; reported, not judged: upstream's drivers have host time that no plan shows
    record ModelRow(String rowId, String model, String family, String group, double measured, double simulated, double error, double bytes,
            double operations, OptionalDouble measuredFirstToken, OptionalDouble simulatedFirstToken) {}

    record NotScored(String rowId, String why) {}

    record Result(List<ModelRow> rows, List<FamilyErrors> families, List<NotScored> notScored) {

        Result {
            rows = List.copyOf(rows);
            families = List.copyOf(families);
            notScored = List.copyOf(notScored);
        }
    }

    /// @throws dev.npuflow.fault.NpuflowException NPF-310 to NPF-313 for a damaged file
    Result validate(List<Path> files) {
        List<ModelRow> rows = new ArrayList<>();
        List<NotScored> notScored = new ArrayList<>();
        for (Path file : files) {
            for (MeasuredModel measured : MeasuredModel.read(file)) {
                switch (measured) {
                    case MeasuredModel.Untimed untimed -> notScored.add(new NotScored(untimed.rowId(), untimed.why()));
                    case MeasuredModel.Timed timed -> simulate(timed, rows, notScored);
                }
            }
        }
        SortedMap<String, List<Scored>> families = new TreeMap<>();
        rows.forEach(row -> families.computeIfAbsent(row.family(), _ -> new ArrayList<>())
                .add(new Scored(row.rowId(), row.error(), new Work(row.bytes(), row.operations(), 1e3 * row.measured()))));
        return new Result(rows, families.entrySet().stream().map(family -> FamilyErrors.of(family.getKey(), family.getValue(), device)).toList(), notScored);
    }

    private void simulate(MeasuredModel.Timed timed, List<ModelRow> rows, List<NotScored> notScored) {
        Optional<MeasuredShape> shape = MeasuredShape.of(timed.row(), timed.model(), configs, DeviceLowering.of(device));
        if (shape.isEmpty()) {
            notScored.add(new NotScored(timed.rowId(), "no dimensions: neither in its columns nor in a config.json of --configs"));
            return;
        }
        try {
            Deployment deployment = UpstreamAssembler.assemble(shape.get().shape(), shape.get().block(), shape.get().architecture(), device, timed.form());
            timed.group().ifPresentOrElse(group -> group(timed, group, deployment, rows, notScored), () -> rows.add(token(timed, deployment)));
        } catch (NpuflowException refused) {
            notScored.add(new NotScored(timed.rowId(), refused.getMessage()));
        }
    }

    private ModelRow token(MeasuredModel.Timed timed, Deployment deployment) {
        Estimate estimate = Estimate.of(deployment, timed.text(), timing);
        double simulated = estimate.millisecondsPerToken();
        PlanWork work = PlanWork.ofPass(deployment, Phase.DECODE);
        OptionalDouble first = timed.firstToken().map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
        return new ModelRow(timed.rowId(), timed.model(), DECODE, "", timed.milliseconds(), simulated, simulated / timed.milliseconds() - 1,
                work.bytes(),
                work.operations(), first, first.isPresent() ? OptionalDouble.of(estimate.secondsToFirstToken()) : OptionalDouble.empty());
    }

    private void group(MeasuredModel.Timed timed, String group, Deployment deployment, List<ModelRow> rows, List<NotScored> notScored) {
        Optional<StepCost> cost = timing.pass(deployment, timed.phase(), TextLength.SHORT.promptTokens()).stream().filter(step -> step.name()
                .equals(group))
                .findFirst();
        if (cost.isEmpty()) {
            notScored.add(new NotScored(timed.rowId(), "the plan has no call %s in its %s".formatted(group, timed.phase())));
            return;
        }
        double simulated = cost.get().once().milliseconds();
        PlanWork work = deployment.phase(timed.phase()).calls().filter(call -> call.name().equals(group)).findFirst().map(PlanWork::of).orElseThrow();
        rows.add(new ModelRow(timed.rowId(), timed.model(), GROUPS, group, timed.milliseconds(), simulated, simulated / timed.milliseconds() - 1,
                work.bytes(),
                work.operations(), OptionalDouble.empty(), OptionalDouble.empty()));
    }
}
