package dev.npuflow.npu.aie;

import dev.npuflow.npu.engine.Outcome;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which resource was busy longest: links and nodes of one kind count by their busiest member.
final class Bound {

    private Bound() {}

    static String of(Outcome outcome) {
        SortedMap<String, Long> busiest = new TreeMap<>();
        outcome.links().forEach(link -> busiest.merge(kind(link.name()), link.busy(), Math::max));
        outcome.nodes().stream().filter(node -> node.name().startsWith("core")).forEach(node -> busiest.merge("core", node.busy(), Math::max));
        outcome.nodes().stream().filter(node -> node.name().equals("control")).forEach(node -> busiest.merge("control", node.busy(), Math::max));
        String bound = "";
        long most = -1;
        for (var entry : busiest.entrySet()) {
            if (entry.getValue() > most) {
                bound = entry.getKey();
                most = entry.getValue();
            }
        }
        return bound;
    }

    private static String kind(String name) {
        if (name.startsWith("ddr")) {
            return "dram";
        }
        return name.startsWith("shim") ? "shim channel" : "stream";
    }
}
