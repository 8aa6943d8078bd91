package dev.npuflow.npu.compiler;

import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.DeviceDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Whether the core functions of an ELF link: one symbol, one object. Launches of the same object share a symbol.
/// Source: mlir-air fixes a GEMV object's rows a call when it is built, so two tilings in an ELF need renamed symbols.
final class SymbolCheck {

    private SymbolCheck() {}

    static List<Blocker> check(ElfDescription elf, DeviceDescription device) {
        List<Blocker> blockers = new ArrayList<>();
        Map<String, String> objects = new TreeMap<>();
        for (LaunchDescription launch : elf.launches()) {
            String object = device.linkedObject(launch).orElse("generated " + launch.kernel());
            String earlier = objects.putIfAbsent(launch.symbol(), object);
            if (earlier != null && !earlier.equals(object)) {
                blockers.add(new Blocker("SYMBOL_CLASH", launch.name(),
                        "symbol redefined at link: '%s' is (%s) and (%s)".formatted(launch.symbol(), earlier, object),
                        "two object files of one ELF export the same name", "Give each of the two objects a symbol of its own: rename one."));
            }
        }
        return blockers;
    }
}
