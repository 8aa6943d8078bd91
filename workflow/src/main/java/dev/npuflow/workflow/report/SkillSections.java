package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.gate.SelfCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Tells from two plans what a skill changed, whichever skill it was, in the sections of docs/upstream.md, "Phase documents".
public final class SkillSections {

    private static final int HEAD_FIRST_FROM = 128;

    private final Phase phase;
    private final Deployment before;
    private final Deployment after;
    private final Optional<ProfileSummary> timeBefore;
    private final Optional<ProfileSummary> timeAfter;
    private final String cosine;
    private final String errors;
    private final String verify;

    /// @param timeBefore empty if not measured
    /// @param timeAfter  empty if not measured
    /// @param selfCheck  empty if it was not run
    /// @param verify     the gate's verdict, or why there is none
    public SkillSections(Phase phase, Deployment before, Deployment after, Optional<ProfileSummary> timeBefore,
            Optional<ProfileSummary> timeAfter, Optional<SelfCheck> selfCheck, String verify) {
        this.phase = phase;
        this.before = before;
        this.after = after;
        this.timeBefore = timeBefore;
        this.timeAfter = timeAfter;
        this.cosine = MarkdownText.line(selfCheck.map(SelfCheck::cosineText).orElse("not run"));
        this.errors = MarkdownText.line(selfCheck.map(SelfCheck::differenceText).orElse("not run"));
        this.verify = MarkdownText.line(verify);
    }

    /// In the order merge, moves to the host, buffer objects, layout; only what was changed.
    public List<SkillSection> sections() {
        return Stream.of(merges(), movedToHost().stream(), bufferObjects().stream(), layout().stream()).flatMap(section -> section).toList();
    }

    private Stream<SkillSection> merges() {
        List<NpuCall> old = before.phase(phase).calls().toList();
        return after.phase(phase).calls().filter(call -> call.launches().size() > 1)
                .map(call -> merge(call, old.stream().filter(candidate -> launches(call).containsAll(launches(candidate))).toList()))
                .flatMap(Optional::stream);
    }

    private Optional<SkillSection> merge(NpuCall group, List<NpuCall> members) {
        if (members.size() < 2) {
            return Optional.empty();
        }
        OptionalDouble was = milliseconds(timeBefore, members);
        OptionalDouble is = milliseconds(timeAfter, List.of(group));
        String gain = was.isPresent() && is.isPresent() && was.getAsDouble() > 0
                ? format(ROOT, "%.1f%%", 100 * (was.getAsDouble() - is.getAsDouble()) / was.getAsDouble()) : "not measured";
        return Optional.of(new SkillSection("Multi-launch merge: " + MarkdownText.line(group.name()), List.of(
                "Sub-kernels merged: " + group.launches().size(), "Latency before: " + shown(was), "Latency after: " + shown(is), "Gain: " + gain,
                "Cosine vs unmerged: " + cosine, "max_abs / max_rel: " + errors, "make verify: " + verify)));
    }

    /// Calls whose names are those of host operations now.
    private Optional<SkillSection> movedToHost() {
        Set<String> names = hostOps(after).map(HostOp::name).collect(Collectors.toUnmodifiableSet());
        List<NpuCall> moved = before.phase(phase).calls().filter(call -> names.contains(call.name())).toList();
        if (moved.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new SkillSection("Moved to the host", List.of(
                "Operations: " + MarkdownText.line(String.join(", ", moved.stream().map(NpuCall::name).toList())),
                "Latency before: " + shown(milliseconds(timeBefore, moved)), "Latency after: " + shown(milliseconds(timeAfter, moved)),
                "Cosine vs before: " + cosine, "max_abs / max_rel: " + errors, "make verify: " + verify)));
    }

    private Optional<SkillSection> bufferObjects() {
        String weights = marked(Transfer.STATIC);
        String intermediates = marked(Transfer.INTERMEDIATE);
        if (weights.isEmpty() && intermediates.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new SkillSection("Buffer-object reuse", List.of(
                "B1 weight BOs: " + (weights.isEmpty() ? "skipped (nothing new to keep on the device)" : weights),
                "B2 intermediate BOs: " + (intermediates.isEmpty() ? "skipped (nothing new that the device overwrites)" : intermediates),
                "Host/wall time before: " + shown(perToken(timeBefore)), "Host/wall time after: " + shown(perToken(timeAfter)),
                "Cosine vs baseline: " + cosine + " | make verify: " + verify)));
    }

    /// Arguments that are no longer written on every call.
    private String marked(Transfer transfer) {
        Set<String> writtenBefore = before.phase(phase).calls().flatMap(call -> call.arguments().stream()
                .filter(argument -> argument.transfer() == Transfer.EVERY_CALL).map(argument -> call.name() + "." + argument.name()))
                .collect(Collectors.toUnmodifiableSet());
        long arguments = 0;
        long bytes = 0;
        for (NpuCall call : after.phase(phase).calls().toList()) {
            for (Argument argument : call.arguments()) {
                if (argument.transfer() == transfer && writtenBefore.contains(call.name() + "." + argument.name())) {
                    arguments++;
                    bytes += argument.bytes();
                }
            }
        }
        return arguments == 0 ? "" : format(ROOT, "applied (%d arguments, %s MiB a set)", arguments, Figures.megabytes(1, bytes));
    }

    private Optional<SkillSection> layout() {
        List<String> removed = new ArrayList<>(transposes(before));
        removed.removeAll(transposes(after));
        if (removed.isEmpty()) {
            return Optional.empty();
        }
        int headDim = after.model().headDim();
        boolean headFirst = hostOps(after).anyMatch(op -> "head_first".equals(op.options().get("layout")));
        return Optional.of(new SkillSection("Layout alignment", List.of(
                "Transposes removed: " + MarkdownText.line(String.join(", ", removed)),
                format(ROOT, "head_dim >= %d routed head-first: %s", HEAD_FIRST_FROM, headDim < HEAD_FIRST_FROM ? "N-A" : headFirst ? "yes" : "no"),
                "Wall time before: " + shown(perToken(timeBefore)), "Wall time after: " + shown(perToken(timeAfter)),
                "Cosine vs baseline: " + cosine + " | make verify: " + verify)));
    }

    private List<String> transposes(Deployment plan) {
        return hostOps(plan).filter(op -> op.kind() == HostKind.TRANSPOSE).map(HostOp::name).toList();
    }

    private Stream<HostOp> hostOps(Deployment plan) {
        return plan.phase(phase).steps().filter(HostOp.class::isInstance).map(HostOp.class::cast);
    }

    private static Set<String> launches(NpuCall call) {
        return call.launches().stream().map(Launch::name).collect(Collectors.toUnmodifiableSet());
    }

    /// A pass over the model: of these calls, all layers.
    private OptionalDouble milliseconds(Optional<ProfileSummary> time, List<NpuCall> calls) {
        Set<String> names = calls.stream().map(NpuCall::name).collect(Collectors.toUnmodifiableSet());
        List<StepTotals> found = time.stream().flatMap(summary -> summary.phase(phase).stream()).filter(step -> names.contains(step.name())).toList();
        return found.isEmpty() ? OptionalDouble.empty()
                : OptionalDouble.of(found.stream().mapToLong(StepTotals::total).sum() / Figures.PICOSECONDS_A_MILLISECOND / passes(time));
    }

    private OptionalDouble perToken(Optional<ProfileSummary> time) {
        return time.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(time.get().phase(phase).stream().mapToLong(StepTotals::total).sum()
                / Figures.PICOSECONDS_A_MILLISECOND / passes(time));
    }

    private int passes(Optional<ProfileSummary> time) {
        return time.map(summary -> summary.passes(phase)).orElse(1);
    }

    private static String shown(OptionalDouble milliseconds) {
        return milliseconds.isPresent() ? format(ROOT, "%.4f ms", milliseconds.getAsDouble()) : "not measured";
    }
}
