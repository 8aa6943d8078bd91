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
            for (Operand operand : launch.inputs().values()) {
                requireInside(operand, arguments, name, launch);
            }
            for (Operand operand : launch.outputs().values()) {
                requireInside(operand, arguments, name, launch);
            }
        }
    }

    private static void requireInside(Operand operand, List<Argument> arguments, String call, Launch launch) {
        Argument argument = arguments.stream().filter(candidate -> candidate.name().equals(operand.argument())).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("call %s, launch %s: no argument %s".formatted(call, launch.name(),
                        operand.argument())));
        if (operand.elements() > argument.elements() - operand.offset()) {
            throw new IllegalArgumentException("call %s, launch %s: %s from element %d on has no %d elements, only %d".formatted(call,
                    launch.name(), operand.argument(), operand.offset(), operand.elements(), argument.elements() - operand.offset()));
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
