package dev.npuflow.workflow.report;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.ValueFlow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A plan's steps as rows of a table: section, step, NPU or CPU, what it computes, what it reads, its weights, what it writes.
final class StepRows {

    private StepRows() {}

    static List<List<String>> of(Deployment deployment, Phase phase) {
        PhasePlan plan = deployment.phase(phase);
        List<List<String>> rows = new ArrayList<>();
        add(rows, "once, before", plan.prologue());
        add(rows, "each of " + deployment.model().layers() + " layers", plan.layer());
        add(rows, "once, after", plan.epilogue());
        return rows;
    }

    /// Parts of one operation, such as those of the LM head, are one row.
    private static void add(List<List<String>> rows, String section, List<Step> steps) {
        int first = 0;
        while (first < steps.size()) {
            int end = first + 1;
            while (end < steps.size() && stem(steps.get(end)).equals(stem(steps.get(first))) && !stem(steps.get(first)).equals(steps.get(first).name())) {
                end++;
            }
            rows.add(row(section, steps.get(first), steps.get(end - 1), end - first));
            first = end;
        }
    }

    private static String stem(Step step) {
        return step.name().replaceFirst("_\\d+$", "");
    }

    private static List<String> row(String section, Step first, Step last, int count) {
        ValueFlow flow = ValueFlow.of(first);
        String name = count == 1 ? first.name() : "%s to %s".formatted(first.name(), last.name());
        return List.of(section, MarkdownText.cell(name), first instanceof NpuCall ? "NPU" : "CPU", MarkdownText.cell(operation(first)),
                cell(flow.reads().stream().filter(value -> !isWeight(value)).toList()), cell(weights(first)), written(flow, ValueFlow.of(last), count));
    }

    private static String written(ValueFlow first, ValueFlow last, int count) {
        return count == 1 ? cell(first.writes()) : cell(List.of(String.join(", ", first.writes()) + " to " + String.join(", ", last.writes())));
    }

    private static String operation(Step step) {
        return switch (step) {
            case NpuCall call -> call.launches().stream().map(StepRows::launch).collect(Collectors.joining(", "));
            case HostOp op -> op.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }

    private static String launch(Launch launch) {
        return "`%s` %s".formatted(launch.kernel(), launch.shape().entrySet().stream().filter(extent -> !extent.getKey().equals("positions"))
                .map(extent -> extent.getKey() + "=" + extent.getValue()).collect(Collectors.joining(" ")));
    }

    private static List<String> weights(Step step) {
        Stream<String> tensors = switch (step) {
            case NpuCall call -> call.arguments().stream().map(argument -> argument.source()).filter(Source.Weight.class::isInstance)
                    .map(source -> ((Source.Weight) source).tensor());
            case HostOp op -> op.inputs().entrySet().stream().map(Map.Entry::getValue).filter(StepRows::isWeight);
        };
        return tensors.map(tensor -> tensor.replace("model.layers.{layer}.", "").replaceFirst("^model\\.", "").replaceFirst("\\.weight$", "")).toList();
    }

    private static boolean isWeight(String value) {
        return value.endsWith(".weight") || value.endsWith(".bias");
    }

    private static String cell(Collection<String> values) {
        return values.isEmpty() ? "—" : MarkdownText.cell(String.join(", ", values));
    }
}
