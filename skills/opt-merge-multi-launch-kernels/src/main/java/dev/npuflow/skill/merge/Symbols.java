package dev.npuflow.skill.merge;

import dev.npuflow.plan.Launch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Names of launches and of linked core functions that are unique in one ELF. Launches whose core function is compiled alike
/// share its symbol; another tiling under the same symbol gets a number.
final class Symbols {

    /// Extents that say how often a core function runs, not what it is compiled for.
    private static final Set<String> REPETITIONS = Set.of("m", "rows", "positions");

    private record Compiled(String symbol, String kernel, SortedMap<String, Integer> tile, SortedMap<String, Double> constants,
            Map<String, Integer> shape) {

        static Compiled of(Launch launch) {
            Map<String, Integer> shape = new TreeMap<>(launch.shape());
            shape.keySet().removeAll(REPETITIONS);
            return new Compiled(launch.symbol(), launch.kernel(), launch.tile(), launch.constants(), shape);
        }
    }

    private Symbols() {}

    static List<Launch> distinct(List<Launch> launches) {
        Map<Compiled, String> symbols = new HashMap<>();
        Set<String> taken = new HashSet<>();
        Set<String> names = new HashSet<>();
        List<Launch> distinct = new ArrayList<>();
        for (Launch launch : launches) {
            String symbol = symbols.computeIfAbsent(Compiled.of(launch), compiled -> unique(compiled.symbol, taken));
            distinct.add(launch.withSymbol(symbol).withName(unique(launch.name(), names)));
        }
        return List.copyOf(distinct);
    }

    private static String unique(String wanted, Set<String> taken) {
        String name = wanted;
        for (int i = 2; !taken.add(name); i++) {
            name = wanted + "_" + i;
        }
        return name;
    }
}
