package dev.npuflow.workflow.scaffold;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A kernel at a shape that a model needs, with the tile that it was placed with (docs/upstream.md, "Phases", Phase 1).
///
/// @param calls names of the calls that use it
public record KernelRow(String phase, String kernel, String shape, String herd, String tile, boolean pingPong, List<String> calls) {

    public KernelRow {
        calls = List.copyOf(calls);
    }

    /// Each kernel and shape of a plan once, prefill first.
    public static List<KernelRow> of(Deployment deployment) {
        List<KernelRow> rows = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            deployment.phase(phase).calls().forEach(call -> call.launches().forEach(launch -> add(rows, phase, call, launch)));
        }
        return List.copyOf(rows);
    }

    private static void add(List<KernelRow> rows, Phase phase, NpuCall call, Launch launch) {
        KernelRow row = new KernelRow(phase.name().toLowerCase(Locale.ROOT), launch.kernel(), text(launch.shape()),
                "%dx%d".formatted(launch.herd().columns(), launch.herd().rows()), text(launch.tile()), call.options().pingPong(), List.of(call.name()));
        for (int i = 0; i < rows.size(); i++) {
            KernelRow known = rows.get(i);
            if (known.sameAs(row)) {
                List<String> calls = new ArrayList<>(known.calls());
                calls.add(call.name());
                rows.set(i, new KernelRow(known.phase(), known.kernel(), known.shape(), known.herd(), known.tile(), known.pingPong(), calls));
                return;
            }
        }
        rows.add(row);
    }

    private boolean sameAs(KernelRow other) {
        return phase.equals(other.phase) && kernel.equals(other.kernel) && shape.equals(other.shape) && herd.equals(other.herd) && tile.equals(other.tile)
                && pingPong == other.pingPong;
    }

    private static String text(Map<String, Integer> extents) {
        return String.join(" ", extents.entrySet().stream().map(entry -> "%s=%d".formatted(entry.getKey(), entry.getValue())).toList());
    }
}
