package dev.npuflow.workflow.cli.sim;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.calibration.Calibration;
import dev.npuflow.npu.calibration.Observation;
import dev.npuflow.npu.device.DeviceFile;
import dev.npuflow.npu.device.DeviceFileText;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.workflow.cli.DeviceOptions;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.cli.Progress;
import dev.npuflow.workflow.cli.ProgressOptions;
import dev.npuflow.workflow.file.FileReason;
import dev.npuflow.workflow.file.WholeFile;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow sim calibrate --kernels f.csv -o device.yaml`.
@Command(name = "calibrate", mixinStandardHelpOptions = true,
        description = "Fits the numbers marked calibrated to measured rows and writes a device file.")
final class CalibrateCommand implements Runnable {

    @Spec private CommandSpec spec;
    @Mixin private DeviceOptions device;

    @Mixin private MeasuredFiles files;

    @Option(names = "--without", split = ",", paramLabel = "ROW", description = "rows not to fit to, such as B001,B002")
    private List<String> without = new ArrayList<>();

    @Option(names = {"-o", "--out"}, required = true, paramLabel = "FILE", description = "the device file to write")
    private Path out;

    @Option(names = "--iterations", defaultValue = "8", description = "at most this many steps (default: ${DEFAULT-VALUE})")
    private int iterations;

    @Mixin private Output output;

    @Mixin private ProgressOptions progressOptions = new ProgressOptions();

    @Override public void run() {
        try (Progress progress = progressOptions.begin(spec.commandLine().getErr(), 2)) {
            calibrate(progress);
        }
    }

    private void calibrate(Progress progress) {
        DeviceFile file = device.file();
        DeviceDescription description = Devices.describe(file);
        List<Observation> observations = SimMachines.require(description, "sim calibrate", MachineCommands::validation)
                .observations(description, files, Set.copyOf(without));
        if (observations.isEmpty()) {
            throw NpuflowException.badInput("NPF-822", "sim calibrate", "0 rows", "a measured row to fit to", "a file with more rows, or fewer --without");
        }
        progress.next("looking which numbers the %d rows touch".formatted(observations.size()));
        List<String> parameters = Calibration.touched(file, observations);
        progress.next("fitting %d numbers".formatted(parameters.size()));
        Calibration.Result result = new Calibration(file, observations, parameters).fit(Math.max(1, iterations));
        try {
            WholeFile.write(out, DeviceFileText.of(result.file()));
        } catch (IOException e) {
            throw NpuflowException.environment("NPF-343", "device file " + out + " cannot be written", FileReason.of(e),
                    "a path in a writable directory",
                    "-o mine.yaml");
        }
        progress.clear();
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("parameters", result.fitted());
        root.put("errors", result.errors());
        root.put("leave_one_out", result.leaveOneOut());
        root.put("file", out.toString());
        output.show(text -> print(text, observations, result), () -> root);
    }

    private void print(TextOutput text, List<Observation> observations, Calibration.Result result) {
        TextTable fitted = new TextTable(0, Column.left("parameter"), Column.right("before"), Column.right("after"), Column.right("95 % +-"), Column.left("plausible"));
        result.fitted().forEach((path, fit) -> fitted.row(path, figure(fit.before()), figure(fit.after()), fit.halfWidth().isPresent() ? figure(fit.halfWidth().getAsDouble()) : "—",
                "[%s, %s]".formatted(fit.low(), fit.high())));
        text.table(fitted);
        Map<String, List<double[]>> families = new TreeMap<>();
        observations.forEach(o -> families.computeIfAbsent(o.family(), _ -> new ArrayList<>())
                .add(new double[] {Math.abs(result.errors().get(o.id())), Math.abs(result.leaveOneOut().get(o.id()))}));
        text.line("");
        TextTable errors = new TextTable(0, Column.left("family"), Column.right("rows"), Column.right("mean"), Column.right("leave one out"));
        families.forEach((family, each) -> errors.row(family, Integer.toString(each.size()), mean(each, 0), mean(each, 1)));
        text.table(errors);
        text.line("wrote " + out);
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }

    private static String mean(List<double[]> errors, int which) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * errors.stream().mapToDouble(error -> error[which]).average().orElse(0));
    }
}
