package dev.npuflow.workflow.cli.sim;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.aie.measured.KernelCase;
import dev.npuflow.npu.aie.measured.KernelValidation;
import dev.npuflow.npu.aie.measured.KernelValidation.RowResult;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.workflow.cli.DeviceOptions;
import dev.npuflow.workflow.cli.Output;
import dev.npuflow.workflow.cli.Progress;
import dev.npuflow.workflow.cli.ProgressOptions;
import dev.npuflow.workflow.text.TextOutput;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import dev.npuflow.workflow.validation.ModelValidation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow sim validate --kernels f.csv --models g.csv`.
@Command(name = "validate", mixinStandardHelpOptions = true,
        description = "Simulates measured rows and prints the errors, beside two simpler models on the same rows.")
final class ValidateCommand implements Callable<Integer> {

    @Spec private CommandSpec spec;
    @Mixin private DeviceOptions device;

    @Option(names = "--kernels", paramLabel = "FILE", description = "measured kernels, in the columns of kernels.csv or of latencies.csv, which npuflow ships")
    private @Nullable Path kernels;

    @Option(names = "--models", paramLabel = "FILE",
            description = "measured deployments, in the columns of models.csv, model_breakdown.csv or models_nightly_krackan.csv; may be repeated")
    private List<Path> models = new ArrayList<>();

    @Option(names = "--configs", paramLabel = "DIR", description = "holds <model>/config.json, which wins over the dimensions in a row's columns")
    private @Nullable Path configs;

    @Option(names = "--max-mean", paramLabel = "PERCENT", defaultValue = "Infinity", description = "exit 1 when a family's mean error is above this")
    private double maximumMean;

    @Mixin private Output output;

    @Mixin private ProgressOptions progressOptions = new ProgressOptions();

    @Override public Integer call() {
        if (kernels == null && models.isEmpty()) {
            throw NpuflowException.badInput("NPF-821", "sim validate without a file", "--kernels or --models", "--kernels kernels.csv");
        }
        if (!(maximumMean >= 0)) {
            throw NpuflowException.badInput("NPF-823", "--max-mean", maximumMean, "0 or more percent", "--max-mean 8");
        }
        DeviceDescription description = device.description();
        List<KernelCase> cases = kernels == null ? List.of() : KernelCase.read(kernels);
        KernelValidation.Result result;
        ModelValidation.Result deployments;
        try (Progress progress = progressOptions.begin(spec.commandLine().getErr(), 2)) {
            progress.next("simulating kernels");
            result = cases.isEmpty() ? new KernelValidation.Result(List.of(), List.of(), List.of()) : new KernelValidation(description).validate(cases);
            progress.next("simulating deployments");
            deployments = new ModelValidation(description, Optional.ofNullable(configs)).validate(models);
        }
        output.show(text -> {
            if (kernels != null) {
                print(text, description, result);
            }
            if (!models.isEmpty()) {
                ModelValidationText.print(text, description, deployments);
            }
        }, () -> json(description, result, deployments));
        boolean above = result.families().stream().anyMatch(family -> 100 * family.mean() > maximumMean)
                || deployments.families().stream().anyMatch(family -> 100 * family.mean() > maximumMean);
        return (above ? ExitCode.GATE_FAILED : ExitCode.PASSED).code();
    }

    private static void print(TextOutput out, DeviceDescription device, KernelValidation.Result result) {
        out.line("simulated on %s against measured kernels".formatted(device.name()));
        out.line("");
        TextTable table = new TextTable(0, Column.left("row"), Column.left("kernel"), Column.right("measured us"), Column.right("simulated us"), Column.right("error"),
                Column.left("bound by"));
        for (RowResult row : result.rows()) {
            table.row(row.rowId(), row.family(), String.format(Locale.ROOT, "%.1f", row.measured()), String.format(Locale.ROOT, "%.1f", row.simulated()),
                    String.format(Locale.ROOT, "%+.1f%%", 100 * row.error()), row.boundBy());
        }
        out.table(table);
        ModelValidationText.errors(out, result.families(), result.notScored().stream().map(row -> row.rowId() + ": " + row.why()).toList());
    }

    private static Map<String, Object> json(DeviceDescription device, KernelValidation.Result result, ModelValidation.Result deployments) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("device", device.name());
        root.put("rows", result.rows().stream().map(row -> object("row_id", row.rowId(), "kernel", row.kernel(), "family", row.family(),
                "measured_us",
                row.measured(), "simulated_us", row.simulated(), "error", row.error(), "bound", row.boundBy())).toList());
        root.put("models", ModelValidationText.rows(deployments));
        root.put("families", Stream.concat(result.families().stream().map(family -> object("family", family.family(), "rows", family.rows(), "mean",
                family.mean(), "median", family.median(), "worst", family.worst(), "worst_row", family.worstRow(), "roofline_mean",
                family.rooflineMean(),
                "affine_mean", family.affineMean())), ModelValidationText.families(deployments).stream()).toList());
        root.put("not_scored", Stream.concat(result.notScored().stream().map(row -> object("row_id", row.rowId(), "why", row.why())),
                deployments.notScored().stream().map(row -> object("row_id", row.rowId(), "why", row.why()))).toList());
        return root;
    }

    static Map<String, Object> object(Object... pairs) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int at = 0; at < pairs.length; at += 2) {
            object.put((String) pairs[at], pairs[at + 1]);
        }
        return object;
    }
}
