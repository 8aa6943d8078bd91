package dev.npuflow.workflow.control;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.model.LanguageModel;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A deployment whose verdict is known before the gate is asked.
///
/// @param kind  what controls of its sort have in common, such as `a head dropped`
/// @param name  of this one, such as `layer 3, head 0`
/// @param wrong whether the gate is to fail it
/// @param model the model that the NPU runs, made of the right one; it is closed after the run unless it is the right one itself
/// @param plan  the plan that it runs, made of the baseline of that model
public record Control(String kind, String name, boolean wrong, UnaryOperator<LanguageModel> model, Function<Deployment, Deployment> plan) {

    static Control wrongModel(String kind, String name, UnaryOperator<LanguageModel> model) {
        return new Control(kind, name, true, model, baseline -> baseline);
    }

    static Control wrongPlan(String kind, String name, UnaryOperator<Deployment> plan) {
        return new Control(kind, name, true, UnaryOperator.identity(), plan);
    }

    /// A plan that is right, whatever made it.
    public static Control rightPlan(String kind, String name, Deployment plan) {
        return new Control(kind, name, false, UnaryOperator.identity(), _ -> plan);
    }
}
