package dev.npuflow.npu.aie.measured;

import dev.npuflow.npu.aie.measured.FamilyErrors.Scored;
import dev.npuflow.npu.calibration.Observation;
import dev.npuflow.npu.clock.DeviceHostClock;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.compiler.Compiler;
import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.machine.DeviceDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Holds the simulator to measured kernel rows: latency from start to wait of a benchmark that repeats one design.
public final class KernelValidation {

    /// Microseconds; `error` is simulated over measured, minus one.
    public record RowResult(String rowId, String kernel, String family, double measured, double simulated, double error, String boundBy) {}

    public record NotScored(String rowId, String why) {}

    public record Result(List<RowResult> rows, List<FamilyErrors> families, List<NotScored> notScored) {

        public Result {
            rows = List.copyOf(rows);
            families = List.copyOf(families);
            notScored = List.copyOf(notScored);
        }
    }

    private final DeviceDescription device;
    private final LaunchClock clock = new LaunchClock();

    public KernelValidation(DeviceDescription device) {
        this.device = device;
    }

    public Result validate(List<KernelCase> cases) {
        List<RowResult> rows = new ArrayList<>();
        List<NotScored> notScored = new ArrayList<>();
        SortedMap<String, List<Scored>> families = new TreeMap<>();
        for (KernelCase measured : cases) {
            switch (measured) {
                case KernelCase.Untimed untimed -> notScored.add(new NotScored(untimed.rowId(), untimed.why()));
                case KernelCase.Timed timed when !timed.scored() -> notScored.add(new NotScored(timed.rowId(), "its status is not pass"));
                case KernelCase.Timed timed when blocker(timed, device).isPresent() -> notScored.add(new NotScored(timed.rowId(),
                        "does not place on %s: %s".formatted(device.name(), blocker(timed, device).get().message())));
                case KernelCase.Timed timed -> {
                    RowResult result = result(timed);
                    rows.add(result);
                    families.computeIfAbsent(timed.family(), _ -> new ArrayList<>()).add(new Scored(timed.rowId(), result.error(),
                            KernelWork.of(timed.elf().launches().getFirst(), timed.measuredMicroseconds())));
                }
            }
        }
        return new Result(rows, families.entrySet().stream().map(family -> FamilyErrors.of(family.getKey(), family.getValue(), device)).toList(), notScored);
    }

    private static Optional<Blocker> blocker(KernelCase.Timed timed, DeviceDescription device) {
        return Compiler.placement(timed.elf(), device).stream().findFirst();
    }

    /// Measured rows as observations for a fit: every one that can be timed, scored or not.
    ///
    /// @param device on which rows have to place
    public static List<Observation> observations(List<KernelCase> cases, DeviceDescription device, LaunchClock clock) {
        List<Observation> observations = new ArrayList<>();
        for (KernelCase measured : cases) {
            if (measured instanceof KernelCase.Timed timed && blocker(timed, device).isEmpty()) {
                observations.add(new Observation(timed.rowId(), timed.family(), timed.elf().launches().getFirst().shape().toString(),
                        timed.measuredMicroseconds(), target(timed.family()), other -> microseconds(timed, other, clock)));
            }
        }
        return observations;
    }

    /// Mean error that a family should reach.
    public static double target(String family) {
        return switch (family) {
            case "GEMV" -> 0.03;
            case "FlashAttention" -> 0.12;
            default -> 0.08;
        };
    }

    private RowResult result(KernelCase.Timed timed) {
        double simulated = microseconds(timed, device, clock);
        return new RowResult(timed.rowId(), timed.kernel().value(), timed.family(), timed.measuredMicroseconds(), simulated,
                simulated / timed.measuredMicroseconds() - 1, clock.time(timed.elf(), device, timed.packaging()).launches().getFirst().boundBy());
    }

    private static double microseconds(KernelCase.Timed timed, DeviceDescription device, LaunchClock clock) {
        return new DeviceHostClock(device).repeated(clock.time(timed.elf(), device, timed.packaging())).microseconds();
    }
}
