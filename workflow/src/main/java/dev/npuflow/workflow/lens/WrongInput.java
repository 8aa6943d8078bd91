package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.plan.ValueFlow;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.lens.ReferencePass.Key;
import java.util.Optional;

/// Which hypothesis fits what an operator reads instead of what it should (docs/upstream.md, "Failure tables", "Faults of buffer objects").
record WrongInput(Deployment deployment, Definition definition) {

    Hypothesis activation(Seen.OnNpu seen, Argument argument, Operand operand, Key key, Content content) {
        return switch (content) {
            case Content.OtherLayout _ -> Hypothesis.LAYOUT;
            case Content.Output(Key found, int _, int _) when !found.name().equals(key.name()) ->
                    another(seen.key(), key.value(), found.value());
            case Content.Output(Key found, int step, int now) -> kept(seen.call(), argument, operand)
                    .orElseGet(() -> writtenLater(seen.call(), argument) ? Hypothesis.MISSING_INTERMEDIATE
                            : sameValue(seen, valueOf(argument), key, found, step == now));
            case Content.Zeros _ -> kept(seen.call(), argument, operand).orElse(Hypothesis.MISSING_PRODUCER);
            case Content.Right _, Content.Weight _, Content.WeightsInTurn _, Content.Table _, Content.InterleavedTable _, Content.Unknown _ ->
                kept(seen.call(), argument, operand).orElse(writtenLater(seen.call(), argument) ? Hypothesis.MISSING_INTERMEDIATE
                        : Hypothesis.WRONG_OPERAND);
        };
    }

    Hypothesis onHost(Seen.OnHost seen, String value, Key key, Content content) {
        return switch (content) {
            case Content.OtherLayout _ -> Hypothesis.LAYOUT;
            case Content.Output(Key found, int _, int _) when !found.name().equals(key.name()) ->
                    another(seen.key(), key.value(), found.value());
            case Content.Output(Key found, int step, int now) -> sameValue(seen, Optional.of(value), key, found, step == now);
            case Content.Right _, Content.Weight _, Content.WeightsInTurn _, Content.Table _, Content.InterleavedTable _, Content.Unknown _,
                    Content.Zeros _ -> Hypothesis.WRONG_OPERAND;
        };
    }

    /// The same operator's output of another layer or step: nobody made it anew, or what was made has been overwritten.
    private Hypothesis sameValue(Seen seen, Optional<String> value, Key key, Key found, boolean sameStep) {
        boolean madeHere = value.isPresent() && deployment.phase(seen.phase()).layer().stream()
                .anyMatch(step -> ValueFlow.of(step).writes().contains(value.get()));
        return madeHere && sameStep && found.layer() != key.layer() ? Hypothesis.OVERWRITTEN_OUTPUT : Hypothesis.MISSING_PRODUCER;
    }

    private static Optional<String> valueOf(Argument argument) {
        return argument.source() instanceof Source.Activation(String value) ? Optional.of(value) : Optional.empty();
    }

    /// Another operator's output stands where `expected` should.
    private Hypothesis another(Key reader, Value expected, Value found) {
        boolean branchAlone = definition.block().operators().stream()
                .anyMatch(operator -> operator instanceof Operator.Sum sum && sum.output().equals(expected) && sum.branch().equals(found));
        boolean sumWithoutInput = definition.maker(reader).filter(maker -> maker instanceof Operator.Sum sum && sum.skipped().equals(expected)).isPresent();
        if (branchAlone || sumWithoutInput) {
            return Hypothesis.DROPPED_RESIDUAL;
        }
        if (definition.isBiasOf(expected, found)) {
            return Hypothesis.DROPPED_BIAS;
        }
        return definition.areGateAndUp(expected, found) ? Hypothesis.SWAPPED_GATE_UP : Hypothesis.WRONG_OPERAND;
    }

    Hypothesis weight(Seen.OnNpu seen, Argument argument, Operand operand, String tensor, Content content) {
        return switch (content) {
            case Content.Weight(String found, int _) -> weight(seen, argument, tensor, found);
            case Content.WeightsInTurn found -> weight(seen, argument, tensor, found.tensors().getFirst());
            case Content.Right _, Content.Zeros _, Content.Output _, Content.Table _, Content.InterleavedTable _, Content.OtherLayout _,
                    Content.Unknown _ -> switch (argument.transfer()) {
                        case EVERY_CALL -> Hypothesis.WRONG_WEIGHT;
                        case STATIC -> kept(seen.call(), argument, operand).filter(Hypothesis.MISSING_INTERMEDIATE::equals)
                                .orElse(Hypothesis.FIRST_WRITE);
                        case INTERMEDIATE -> Hypothesis.MISSING_INTERMEDIATE;
                    };
        };
    }

    private Hypothesis weight(Seen.OnNpu seen, Argument argument, String tensor, String found) {
        String wanted = WeightFinder.role(tensor);
        String role = WeightFinder.role(found);
        if (!found.equals(tensor) && role.equals(wanted)) {
            return argument.transfer() != Transfer.EVERY_CALL && seen.call().bufferKey() == BufferKey.SHARED
                    ? Hypothesis.CROSS_LAYER_ALIAS : Hypothesis.LAYER_INDEXED_WEIGHT;
        }
        return definition.areGateAndUp(tensor, found) ? Hypothesis.SWAPPED_GATE_UP : Hypothesis.WRONG_WEIGHT;
    }

    Hypothesis table(Seen.OnNpu seen, Argument argument, Operand operand, Content content) {
        return kept(seen.call(), argument, operand)
                .orElse(content instanceof Content.InterleavedTable ? Hypothesis.ROPE_CONVENTION : Hypothesis.ROPE_POSITION);
    }

    /// What is to be thought of an argument that is wrong and was not written on this call. Elements that a launch of the call writes were meant to
    /// be written before they are read, whatever set the argument is in.
    private static Optional<Hypothesis> kept(NpuCall call, Argument argument, Operand operand) {
        if (argument.transfer() == Transfer.EVERY_CALL) {
            return Optional.empty();
        }
        if (accumulates(call, argument)) {
            return Optional.of(Hypothesis.ACCUMULATOR);
        }
        boolean written = call.launches().stream().flatMap(launch -> launch.outputs().values().stream()).anyMatch(out -> overlap(out, operand));
        return Optional.of(written || argument.transfer() == Transfer.INTERMEDIATE ? Hypothesis.MISSING_INTERMEDIATE : Hypothesis.STALE_STATIC);
    }

    /// Whether the first launch that writes the argument reads the same elements: what the call before left is added to.
    static boolean accumulates(NpuCall call, Argument argument) {
        return call.launches().stream().filter(launch -> touches(launch, argument)).findFirst()
                .filter(launch -> launch.outputs().values().stream().filter(out -> out.argument().equals(argument.name()))
                        .anyMatch(out -> launch.inputs().values().stream().anyMatch(in -> overlap(in, out))))
                .isPresent();
    }

    private static boolean touches(Launch launch, Argument argument) {
        return launch.outputs().values().stream().anyMatch(operand -> operand.argument().equals(argument.name()))
                || launch.inputs().values().stream().anyMatch(operand -> operand.argument().equals(argument.name()));
    }

    static boolean overlap(Operand a, Operand b) {
        return a.argument().equals(b.argument()) && a.offset() < b.offset() + b.elements() && b.offset() < a.offset() + a.elements();
    }

    private static boolean writtenLater(NpuCall call, Argument argument) {
        return call.launches().stream().flatMap(launch -> launch.outputs().values().stream())
                .anyMatch(operand -> operand.argument().equals(argument.name()));
    }
}
