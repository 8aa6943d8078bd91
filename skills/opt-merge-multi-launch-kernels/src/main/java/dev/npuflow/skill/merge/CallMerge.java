package dev.npuflow.skill.merge;

import dev.npuflow.plan.AccessAnalysis;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.ArgumentAccess;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.plan.ValueFlow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Joins calls into one. Arguments are one where they carry the same value by name: a value that one member makes and a later one reads
/// is handed over on the device. A value that is first read and then made anew (`x` into a layer and out of it) has two arguments.
final class CallMerge {

    private final PhasePlan plan;
    private final List<NpuCall> members;

    /// Arguments of the joined call by name, in order of first use.
    private final SequencedMap<String, Argument> arguments = new LinkedHashMap<>();
    /// Where each value stands at this point of the launch order.
    private final Map<String, String> holder = new HashMap<>();
    /// Values whose newest state only the device has.
    private final Set<String> madeHere = new HashSet<>();
    private final List<Launch> launches = new ArrayList<>();

    CallMerge(PhasePlan plan, List<NpuCall> members) {
        this.plan = plan;
        this.members = List.copyOf(members);
    }

    /// Empty if a member needs, in a form that is not handed over as it stands, what an earlier member makes.
    Optional<NpuCall> joined(String name) {
        BufferKey key = BufferKey.SHARED;
        for (NpuCall member : members) {
            key = member.bufferKey() == BufferKey.PER_LAYER ? BufferKey.PER_LAYER : key;
            AccessAnalysis access = AccessAnalysis.of(member, true);
            Map<String, String> renamed = new HashMap<>();
            for (Argument argument : member.arguments()) {
                Optional<String> place = place(argument, access.access(argument.name()));
                if (place.isEmpty()) {
                    return Optional.empty();
                }
                renamed.put(argument.name(), place.get());
            }
            member.launches().forEach(launch -> launches.add(rebound(launch, renamed)));
        }
        List<Argument> joined = arguments.values().stream().map(this::readBackIfWanted).toList();
        return Optional.of(new NpuCall(name, Symbols.distinct(launches), joined, key, members.getFirst().options()));
    }

    /// A written argument that is not read back gives its value to nobody: it stays the member's own.
    private Optional<String> place(Argument argument, ArgumentAccess access) {
        return switch (argument.source()) {
            case Source.Activation activation -> placeValue(activation.value(), argument, access);
            case Source.LookUpTable table -> placeValue(table.value(), argument, access);
            case Source.Packed packed -> packed.parts().stream().anyMatch(part -> part instanceof Source.Activation activation
                    && madeHere.contains(activation.value())) && access.hostElements() > 0 ? Optional.empty() : Optional.of(add(argument));
            case Source.Weight _, Source.InterleavedWeights _, Source.Scratch _ -> Optional.of(add(argument));
        };
    }

    private Optional<String> placeValue(String value, Argument argument, ArgumentAccess access) {
        boolean made = access.written() && argument.readBack();
        boolean needed = access.hostElements() > 0;
        if (access.written() != made || !(made || needed)) {
            return needed && madeHere.contains(value) ? Optional.empty() : Optional.of(add(argument));
        }
        String name = holder.get(value);
        if (!needed || name == null) {
            name = add(argument);
        } else if (!handedOver(arguments.get(name), argument, madeHere.contains(value))) {
            return Optional.empty();
        }
        holder.put(value, name);
        if (made) {
            madeHere.add(value);
        }
        return Optional.of(name);
    }

    /// Uses an argument that holds the value already. If the host fills it, it is written as often as its most demanding user wants.
    private boolean handedOver(Argument holding, Argument user, boolean made) {
        if (holding.elements() != user.elements() || holding.dataType() != user.dataType()) {
            return false;
        }
        Transfer transfer = made || holding.transfer() == user.transfer() ? holding.transfer() : Transfer.EVERY_CALL;
        arguments.put(holding.name(), holding.withReadBack(holding.readBack() || user.readBack()).withTransfer(transfer));
        return true;
    }

    private String add(Argument argument) {
        String name = argument.name();
        for (int i = 2; arguments.containsKey(name); i++) {
            name = argument.name() + (i == 2 ? "_out" : "_" + i);
        }
        arguments.put(name, argument.withName(name));
        return name;
    }

    /// A read-back is dropped where an argument is not its value's last state, or where only this call uses the value.
    private Argument readBackIfWanted(Argument argument) {
        if (!argument.readBack() || !(argument.source() instanceof Source.Activation(String value))) {
            return argument;
        }
        boolean last = argument.name().equals(holder.get(value));
        return argument.withReadBack(last && (usedOutside(value) || !usedInside(value)));
    }

    private boolean usedOutside(String value) {
        return plan.steps().filter(step -> members.stream().noneMatch(member -> member == step))
                .anyMatch(step -> ValueFlow.of(step).reads().contains(value)) || readFromHostHere(value);
    }

    /// Read before it is made: the next pass through this call wants the host's copy.
    private boolean readFromHostHere(String value) {
        for (NpuCall member : members) {
            ValueFlow flow = ValueFlow.of(member);
            if (flow.reads().contains(value)) {
                return true;
            }
            if (flow.writes().contains(value)) {
                return false;
            }
        }
        return false;
    }

    private boolean usedInside(String value) {
        return members.stream().anyMatch(member -> ValueFlow.of(member).reads().contains(value));
    }

    private static Launch rebound(Launch launch, Map<String, String> renamed) {
        return launch.withOperands(rebound(launch.inputs(), renamed), rebound(launch.outputs(), renamed));
    }

    private static SortedMap<String, Operand> rebound(SortedMap<String, Operand> operands, Map<String, String> renamed) {
        SortedMap<String, Operand> rebound = new TreeMap<>();
        operands.forEach((port, operand) -> rebound.put(port, operand.of(renamed.get(operand.argument()))));
        return rebound;
    }
}
