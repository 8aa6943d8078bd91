package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import dev.npuflow.workflow.lowering.StepTime.Section;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/// Upstream's "PROFILING REPORT" of one phase: by layer, by call, by host operation, and each call's writes, run and reads.
final class DetailTables {

    private record Invocation(int pass, int layer) {}

    private final StringBuilder text;
    private final List<StepTime> steps;

    private DetailTables(StringBuilder text, List<StepTime> steps) {
        this.text = text;
        this.steps = steps;
    }

    static void append(StringBuilder text, String source, String title, List<StepTime> steps) {
        text.append(ProfileText.sourceLine(source)).append(ProfileText.LINE).append('\n').append(title).append("\n\n");
        ProfileText.heading(text, "PROFILING REPORT");
        text.append('\n');
        DetailTables tables = new DetailTables(text, steps);
        tables.attribution();
        tables.layers();
        tables.calls();
        tables.hostOperations();
        tables.segments();
    }

    private List<StepTime> of(Kind kind) {
        return steps.stream().filter(step -> step.kind() == kind).toList();
    }

    private List<StepTime> loop() {
        return steps.stream().filter(step -> step.section() == Section.LAYER).toList();
    }

    private long layerInvocations() {
        return loop().stream().map(step -> new Invocation(step.pass(), step.layer())).distinct().count();
    }

    private void attribution() {
        text.append("--- Wall-Time Attribution ---\n");
        attributed("NPU XRT calls", of(Kind.NPU), of(Kind.NPU).size() + " calls");
        attributed("CPU host ops", of(Kind.HOST), of(Kind.HOST).size() + " calls");
        attributed("Layer-loop wall", loop(), layerInvocations() + " layer-invocations");
        text.append('\n');
    }

    private void attributed(String label, List<StepTime> part, String count) {
        text.append(format(ROOT, "  %-22s%sms  (%s)\n", label, Figures.milliseconds(9, total(part)), count));
    }

    private void layers() {
        text.append("--- Per-Layer Execution ---\n");
        for (StepGroup layer : StepGroup.grouped(loop().stream().sorted(Comparator.comparingInt(StepTime::layer)), StepTime::layer)) {
            List<StepGroup> passes = StepGroup.grouped(layer.steps().stream(), StepTime::pass);
            int number = layer.steps().getFirst().layer();
            if (passes.size() == 1) {
                text.append(format(ROOT, "  Layer %3d: %sms\n", number, Figures.milliseconds(7, layer.total())));
            } else {
                text.append(format(ROOT, "  Layer %3d: avg=%sms  min=%sms  max=%sms  (x%d)\n", number,
                        Figures.milliseconds(7, (double) layer.total() / passes.size()),
                        Figures.milliseconds(7, passes.stream().mapToLong(StepGroup::total).min().orElse(0)),
                        Figures.milliseconds(7, passes.stream().mapToLong(StepGroup::total).max().orElse(0)), passes.size()));
            }
        }
        sum("Total layer-time", total(loop()));
        text.append('\n');
    }

    private void calls() {
        text.append("--- NPU XRT Call Breakdown (avg per invocation) ---\n");
        invocations(Kind.NPU);
        sum("Total kernel time", total(of(Kind.NPU)));
        sum("Avg per layer (kernel time)", layerInvocations() == 0 ? 0 : (double) total(of(Kind.NPU)) / layerInvocations());
        text.append('\n');
    }

    private void hostOperations() {
        text.append("--- CPU Op Breakdown (avg per invocation) ---\n");
        invocations(Kind.HOST);
        sum("Total CPU op time", total(of(Kind.HOST)));
        text.append('\n');
    }

    private void invocations(Kind kind) {
        for (StepGroup group : alphabetical(kind)) {
            text.append(format(ROOT, "  %-40s avg=%sms  min=%sms  max=%sms  (x%d)\n", group.name(),
                    Figures.milliseconds(7, group.mean(StepTime::total)), Figures.milliseconds(7, group.smallest()),
                    Figures.milliseconds(7, group.largest()), group.steps().size()));
        }
    }

    private void segments() {
        String rule = "  " + "─".repeat(20) + (" " + "─".repeat(10)).repeat(4);
        text.append("""
                --- Fine-Grained NPU Breakdown (avg per invocation) ---
                  BO Write: host to device, of the buffer objects this call writes
                  NPU Run:  from start to wait, dispatch included
                  BO Read:  device to host, of the buffer objects the host reads back
                  Written, Read: bytes and buffer objects of one invocation
                  The LM head that ends the prefill counts with the decode, whose ELF it is.
                  Kernel                 BO Write    NPU Run    BO Read      Total     Written   Read
                """);
        text.append(rule).append("  ").append("─".repeat(10)).append(' ').append("─".repeat(6)).append('\n');
        for (StepGroup group : alphabetical(Kind.NPU)) {
            text.append(format(ROOT, "  %-20s %sms %sms %sms %sms  %sMB %4dbo  (x%d)\n", group.name(), mean(group, StepTime::write),
                    mean(group, StepTime::run), mean(group, StepTime::read), mean(group, StepTime::total),
                    Figures.megabytes(8, group.mean(StepTime::bytesWritten)), Math.round(group.mean(StepTime::buffersRead)), group.steps().size()));
        }
        text.append(rule).append('\n');
        StepGroup all = new StepGroup("TOTAL", of(Kind.NPU));
        text.append(format(ROOT, "  %-20s %sms %sms %sms %sms\n", "TOTAL", Figures.milliseconds(8, all.sum(StepTime::write)),
                Figures.milliseconds(8, all.sum(StepTime::run)), Figures.milliseconds(8, all.sum(StepTime::read)),
                Figures.milliseconds(8, all.total())));
        if (all.total() > 0) {
            long[] percent = Figures.percent(all.sum(StepTime::write), all.sum(StepTime::run), all.sum(StepTime::read));
            text.append(format(ROOT, "  %-20s %7d%% %8d%% %8d%%\n", "%", percent[0], percent[1], percent[2]));
        }
        text.append('\n');
    }

    private List<StepGroup> alphabetical(Kind kind) {
        return StepGroup.byName(of(kind).stream()).stream().sorted(Comparator.comparing(StepGroup::name)).toList();
    }

    private void sum(String label, double picoseconds) {
        text.append(format(ROOT, "  %-40s%sms\n", label, Figures.milliseconds(9, picoseconds)));
    }

    private static String mean(StepGroup group, ToLongFunction<StepTime> part) {
        return Figures.milliseconds(8, group.mean(part));
    }

    private static long total(List<StepTime> part) {
        return part.stream().mapToLong(StepTime::total).sum();
    }
}
