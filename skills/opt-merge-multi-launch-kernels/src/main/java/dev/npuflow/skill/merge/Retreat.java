package dev.npuflow.skill.merge;

import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.skill.Attempt;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// How many calls a group still holds after the compiler stopped earlier ones. Where it blames a launch, the group ends before it; where it blames the ELF or
/// the first launch, the last call leaves, and from the second time on half of the calls: what is wrong with an ELF of nineteen launches is
/// found in a few compilations.
///
/// @param attempts oldest first
record Retreat(List<Attempt> attempts) {

    /// Of `members`, how many to join, at least 1.
    int size(List<NpuCall> members) {
        int size = members.size();
        boolean halve = false;
        for (Attempt attempt : attempts) {
            OptionalInt blamed = blamed(attempt, members.subList(0, size));
            if (size > 1 && blamed.isPresent()) {
                int before = blamed.getAsInt();
                size = before > 0 ? before : halve ? size / 2 : size - 1;
                halve |= before == 0;
            }
        }
        return size;
    }

    /// Number of the first call that a blocker names, 0 if it names their ELF; empty if it is about others. A blocker names the place as
    /// `phase/call/launch`, or the call or the launch alone.
    private static OptionalInt blamed(Attempt attempt, List<NpuCall> members) {
        String group = GroupName.of(members);
        List<String> places = attempt.blockers().stream().map(blocker -> List.of(blocker.launch().split("/")))
                .filter(place -> place.size() == 1 || place.contains(group)).map(List::getLast).toList();
        OptionalInt launch = IntStream.range(0, members.size())
                .filter(i -> members.get(i).launches().stream().map(Launch::name).anyMatch(places::contains)).findFirst();
        return launch.isEmpty() && places.contains(group) ? OptionalInt.of(0) : launch;
    }
}
