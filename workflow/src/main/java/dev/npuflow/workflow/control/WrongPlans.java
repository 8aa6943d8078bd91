package dev.npuflow.workflow.control;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.Operator;
import dev.npuflow.workflow.block.Weight;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Plans that are wrong in one thing on a right model, as `docs/faults.md` lists them: what stays on the device and should not, another layer's weight,
/// another value.
final class WrongPlans {

    private final Block block;
    private final Deployment baseline;
    private final List<Control> controls = new ArrayList<>();

    private WrongPlans(Block block, Deployment baseline) {
        this.block = block;
        this.baseline = baseline;
    }

    /// @param baseline the plan that is changed
    static List<Control> of(Block block, Deployment baseline) {
        WrongPlans plans = new WrongPlans(block, baseline);
        for (Phase phase : Phase.values()) {
            plans.values(phase);
            if (baseline.model().layers() > 1) {
                plans.weights(phase);
            }
        }
        plans.stale();
        if (baseline.model().layers() > 1) {
            plans.aliased();
        }
        return List.copyOf(plans.controls);
    }

    private void weights(Phase phase) {
        for (Weight weight : block.weights()) {
            tensor("the weight of another layer", "%s, %s".formatted(weight.tensor().replace(Weight.LAYER, ""), word(phase)), phase,
                    name -> name.equals(weight.tensor()) ? weight.in(0) : name);
        }
    }

    private void values(Phase phase) {
        for (Operator operator : block.operators()) {
            if (operator instanceof Operator.Sum sum) {
                rename("a dropped residual", "%s, %s".formatted(sum.name(), word(phase)), phase, sum.name(), sum.skipped().name(), sum.branch().name());
            }
        }
        exchange("K and V exchanged", word(phase), phase);
    }

    /// What is kept on the device although it changes.
    private void stale() {
        List<String> changing = baseline.phase(Phase.DECODE).calls().flatMap(call -> call.arguments().stream())
                .filter(WrongPlans::changes).map(Argument::name).distinct().sorted().toList();
        for (String name : changing) {
            calls("a value marked static", name, Phase.DECODE, argument -> argument.name().equals(name) && changes(argument), Transfer.STATIC);
        }
    }

    private void aliased() {
        control("one key for the weights of all layers", "all calls", plan -> plan.mapCalls(Phase.DECODE, call -> call.mapArguments(argument ->
                argument.source() instanceof Source.Weight ? argument.withTransfer(Transfer.STATIC) : argument).withBufferKey(BufferKey.SHARED)));
    }

    private static boolean changes(Argument argument) {
        return argument.source() instanceof Source.Activation && !argument.readBack();
    }

    private void calls(String kind, String name, Phase phase, Predicate<Argument> which, Transfer transfer) {
        control(kind, name, plan -> plan.mapCalls(phase, call -> call.mapArguments(argument -> which.test(argument) ? argument.withTransfer(transfer)
                : argument)));
    }

    private void tensor(String kind, String name, Phase phase, UnaryOperator<String> renamed) {
        control(kind, name, plan -> plan.mapCalls(phase, call -> call.mapArguments(argument -> argument.source() instanceof Source.Weight(String tensor,
                int first, int rows) ? withSource(argument, new Source.Weight(renamed.apply(tensor), first, rows)) : argument)));
    }

    private void rename(String kind, String name, Phase phase, String step, String from, String to) {
        control(kind, name, plan -> steps(plan, phase, held -> held.name().contains(step), input -> input.equals(from) ? to : input));
    }

    private void exchange(String kind, String name, Phase phase) {
        String key = block.attention().key().name();
        String value = block.attention().value().name();
        control(kind, name, plan -> steps(plan, phase, held -> held instanceof HostOp op
                        && (op.kind() == HostKind.DECODE_ATTENTION || op.kind() == HostKind.PREFILL_ATTENTION || op.kind() == HostKind.TRANSPOSE),
                input -> input.equals(key) ? value : input.equals(value) ? key : input));
    }

    /// Other values for what some steps read.
    private static Deployment steps(Deployment plan, Phase phase, Predicate<Step> which, UnaryOperator<String> renamed) {
        UnaryOperator<List<Step>> change = section -> section.stream().map(step -> !which.test(step) ? step : switch (step) {
            case HostOp op -> {
                TreeMap<String, String> inputs = new TreeMap<>(op.inputs());
                inputs.replaceAll((_, value) -> renamed.apply(value));
                yield (Step) op.withInputs(inputs);
            }
            case NpuCall call -> call.mapArguments(argument -> argument.source() instanceof Source.Activation(String value)
                    && !argument.readBack() ? withSource(argument, new Source.Activation(renamed.apply(value))) : argument);
        }).toList();
        return plan.withPhase(phase, plan.phase(phase).mapSections(change));
    }

    private static Argument withSource(Argument argument, Source source) {
        return new Argument(argument.name(), argument.shape(), argument.dataType(), source, argument.transfer(), argument.readBack());
    }

    private static String word(Phase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }

    /// A change that changes nothing, for the model has no such thing, is no control.
    private void control(String kind, String name, UnaryOperator<Deployment> change) {
        if (!change.apply(baseline).hash().equals(baseline.hash())) {
            controls.add(Control.wrongPlan(kind, name, change));
        }
    }
}
