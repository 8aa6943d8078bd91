package dev.npuflow.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/// What differs between two plans, step by step, for `npuflow plan --diff SKILL`.
///
/// @param before  hash of the old plan
/// @param after   hash of the new one
/// @param changes in plan order, prefill first; of a section, removed and changed steps first, then added ones
public record PlanDiff(String before, String after, List<Change> changes) {

    public PlanDiff {
        changes = List.copyOf(changes);
    }

    public enum Kind { REMOVED, ADDED, CHANGED }

    /// @param section `prologue`, `layer` or `epilogue`
    /// @param details of a changed step one line a difference, of the others one line that says what it is
    public record Change(Phase phase, String section, Kind kind, String step, List<String> details) {
        public Change {
            details = List.copyOf(details);
        }
    }

    public static PlanDiff between(Deployment before, Deployment after) {
        List<Change> changes = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            PhasePlan old = before.phase(phase);
            PhasePlan now = after.phase(phase);
            compare(phase, "prologue", old.prologue(), now.prologue(), changes);
            compare(phase, "layer", old.layer(), now.layer(), changes);
            compare(phase, "epilogue", old.epilogue(), now.epilogue(), changes);
        }
        return new PlanDiff(before.hash(), after.hash(), changes);
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /// One line a change, its details indented; `-` removed, `+` added, `~` changed.
    public String text() {
        StringBuilder text = new StringBuilder("plan %s -> %s\n".formatted(before, after));
        if (changes.isEmpty()) {
            text.append("no difference\n");
        }
        for (Change change : changes) {
            char sign = switch (change.kind) {
                case REMOVED -> '-';
                case ADDED -> '+';
                case CHANGED -> '~';
            };
            text.append("%c %s %s: %s\n".formatted(sign, change.phase.name().toLowerCase(Locale.ROOT), change.section, change.step));
            change.details.forEach(detail -> text.append("    ").append(detail).append('\n'));
        }
        return text.toString();
    }

    private static void compare(Phase phase, String section, List<Step> before, List<Step> after, List<Change> changes) {
        SequencedMap<String, Step> old = byName(before);
        SequencedMap<String, Step> now = byName(after);
        old.forEach((name, step) -> {
            Step other = now.get(name);
            if (other == null) {
                changes.add(new Change(phase, section, Kind.REMOVED, name, List.of(summary(step))));
            } else if (!step.equals(other)) {
                changes.add(new Change(phase, section, Kind.CHANGED, name, details(step, other)));
            }
        });
        now.forEach((name, step) -> {
            if (!old.containsKey(name)) {
                changes.add(new Change(phase, section, Kind.ADDED, name, List.of(summary(step))));
            }
        });
        List<String> kept = old.keySet().stream().filter(now::containsKey).toList();
        List<String> order = now.keySet().stream().filter(old::containsKey).toList();
        if (!kept.equals(order)) {
            changes.add(new Change(phase, section, Kind.CHANGED, "order", List.of(String.join(", ", kept) + " -> " + String.join(", ", order))));
        }
    }

    /// Steps of one name in a section are told apart by `#2`, `#3` …
    private static SequencedMap<String, Step> byName(List<Step> section) {
        SequencedMap<String, Step> byName = new LinkedHashMap<>();
        for (Step step : section) {
            String key = step.name();
            for (int i = 2; byName.containsKey(key); i++) {
                key = step.name() + "#" + i;
            }
            byName.put(key, step);
        }
        return byName;
    }

    private static String summary(Step step) {
        return switch (step) {
            case NpuCall call -> "%d %s: %s".formatted(call.launches().size(), call.launches().size() == 1 ? "launch" : "launches", String.join(", ", call.launches().stream().map(Launch::name).toList()));
            case HostOp op -> "host %s".formatted(op.kind().name().toLowerCase(Locale.ROOT));
        };
    }

    private static List<String> details(Step before, Step after) {
        List<String> details = new ArrayList<>();
        if (before instanceof HostOp old && after instanceof HostOp now) {
            line(details, "kind", old.kind(), now.kind());
            line(details, "inputs", old.inputs(), now.inputs());
            line(details, "outputs", old.outputs(), now.outputs());
            line(details, "shape", old.shape(), now.shape());
            line(details, "options", old.options(), now.options());
            return details;
        }
        if (!(before instanceof NpuCall old) || !(after instanceof NpuCall now)) {
            return List.of("%s -> %s".formatted(summary(before), summary(after)));
        }
        line(details, "buffer key", old.bufferKey(), now.bufferKey());
        line(details, "ping-pong", old.options().pingPong(), now.options().pingPong());
        line(details, "loop tiling", old.options().loopTiling(), now.options().loopTiling());
        named(details, "launch", launches(old), launches(now));
        named(details, "argument", arguments(old), arguments(now));
        return details;
    }

    private static Map<String, String> launches(NpuCall call) {
        Map<String, String> launches = new LinkedHashMap<>();
        call.launches().forEach(launch -> launches.put(launch.name(), "%s %s as %s, herd %dx%d, tile %s, %s -> %s".formatted(
                launch.kernel(), launch.shape(), launch.symbol(), launch.herd().columns(), launch.herd().rows(), launch.tile(),
                launch.inputs(), launch.outputs())));
        return launches;
    }

    private static Map<String, String> arguments(NpuCall call) {
        Map<String, String> arguments = new LinkedHashMap<>();
        call.arguments().forEach(argument -> arguments.put(argument.name(), "%s%s".formatted(argument.transfer(),
                argument.readBack() ? ", read back" : "") + " " + argument.shape() + " " + argument.dataType() + " " + argument.source()));
        return arguments;
    }

    private static void named(List<String> details, String what, Map<String, String> before, Map<String, String> after) {
        before.forEach((name, old) -> line(details, what + " " + name, old, after.getOrDefault(name, "gone")));
        after.forEach((name, now) -> {
            if (!before.containsKey(name)) {
                details.add("%s %s: new, %s".formatted(what, name, now));
            }
        });
    }

    private static void line(List<String> details, String what, Object before, Object after) {
        if (!Objects.equals(before, after)) {
            details.add("%s: %s -> %s".formatted(what, before, after));
        }
    }
}
