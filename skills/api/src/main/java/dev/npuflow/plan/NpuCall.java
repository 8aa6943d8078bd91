package dev.npuflow.plan;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.UnaryOperator;

/// One XRT call: one ELF of one or more launches, run in order.
public record NpuCall(String name, List<Launch> launches, List<Argument> arguments, BufferKey bufferKey, ElfOptions options) implements Step {

    public NpuCall {
        launches = List.copyOf(launches);
        arguments = List.copyOf(arguments);
        if (launches.isEmpty()) {
            throw new IllegalArgumentException("call %s has no launch".formatted(name));
        }
        if (arguments.stream().map(Argument::name).distinct().count() != arguments.size()) {
            throw new IllegalArgumentException("call %s names an argument twice".formatted(name));
        }
        for (Launch launch : launches) {
            launch.inputs().values().forEach(operand -> requireInside(operand, launch.name()));
            launch.outputs().values().forEach(operand -> requireInside(operand, launch.name()));
        }
    }

    private void requireInside(Operand operand, String launch) {
        Argument argument = argument(operand.argument());
        if (operand.offset() + operand.elements() > argument.elements()) {
            throw new IllegalArgumentException("call %s, launch %s: %s ends at element %d of %d".formatted(
                    name, launch, operand.argument(), operand.offset() + operand.elements(), argument.elements()));
        }
    }

    public Argument argument(String argumentName) {
        return arguments.stream().filter(argument -> argument.name().equals(argumentName)).findFirst()
                .orElseThrow(() -> new NoSuchElementException("call %s has no argument %s".formatted(name, argumentName)));
    }

    public NpuCall mapArguments(UnaryOperator<Argument> change) {
        return new NpuCall(name, launches, arguments.stream().map(change).toList(), bufferKey, options);
    }

    public NpuCall withBufferKey(BufferKey changed) {
        return new NpuCall(name, launches, arguments, changed, options);
    }

    public NpuCall withOptions(ElfOptions changed) {
        return new NpuCall(name, launches, arguments, bufferKey, changed);
    }

    public NpuCall withLaunches(List<Launch> changed) {
        return new NpuCall(name, changed, arguments, bufferKey, options);
    }
}
