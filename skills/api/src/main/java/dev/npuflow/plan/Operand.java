package dev.npuflow.plan;

/// What a launch's port is bound to: `elements` elements of an argument from `offset` on.
public record Operand(String argument, long offset, long elements) {

    public Operand {
        if (offset < 0 || elements <= 0) {
            throw new IllegalArgumentException("operand %s: offset %d, elements %d".formatted(argument, offset, elements));
        }
    }

    public static Operand whole(Argument argument) {
        return new Operand(argument.name(), 0, argument.elements());
    }

    public Operand of(String renamedArgument) {
        return new Operand(renamedArgument, offset, elements);
    }
}
