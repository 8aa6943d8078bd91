package dev.npuflow.skill.merge;

import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Blocker;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/// What a blocker's place means for a call. A place is `phase/call/launch`, `call/launch`, or the call or the launch alone; an ELF's own blocker has
/// the call's name where a launch's would stand.
final class Blame {

    private Blame() {}

    static boolean isOn(NpuCall call, Phase phase, Blocker blocker) {
        List<String> place = place(blocker);
        return switch (place.size()) {
            case 1 -> place.getFirst().equals(call.name()) || launch(call, blocker).isPresent();
            case 2 -> place.getFirst().equals(call.name());
            default -> place.get(place.size() - 2).equals(call.name()) && place.getFirst().equals(phase.name().toLowerCase(Locale.ROOT));
        };
    }

    /// Number of the launch that is named; empty where it is the ELF.
    static OptionalInt launch(NpuCall call, Blocker blocker) {
        List<String> names = call.launches().stream().map(Launch::name).toList();
        int found = names.indexOf(place(blocker).getLast());
        return found < 0 ? OptionalInt.empty() : OptionalInt.of(found);
    }

    private static List<String> place(Blocker blocker) {
        return List.of(blocker.launch().split("/"));
    }
}
