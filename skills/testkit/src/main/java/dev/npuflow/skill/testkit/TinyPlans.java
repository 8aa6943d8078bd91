package dev.npuflow.skill.testkit;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.KernelNames;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.Transfer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Plans of a few launches over vectors of [#N] elements, for tests of what a skill rewrites:
///
///     plan(call("norm", rmsNorm("x", "weight").into("y")))
///
/// Every argument is written on every call, every value that a launch writes is read back, as in a baseline. Such a plan
/// compiles; it is no whole model, so it does not run.
public final class TinyPlans {

    /// Elements of each value.
    public static final int N = 64;

    private TinyPlans() {}

    /// A launch whose output is still to be named.
    public record LaunchDraft(String kernel, SequencedMap<String, Source> inputs) {

        public BoundLaunch into(String value) {
            return new BoundLaunch(this, value);
        }
    }

    /// A launch with its output value.
    public record BoundLaunch(LaunchDraft draft, String output) {}

    /// RMSNorm of value `in` by the weight `model.layers.{layer}.<weight>.weight`.
    public static LaunchDraft rmsNorm(String in, String weight) {
        return draft(KernelNames.RMS_NORM, "in", new Source.Activation(in), "weight", new Source.Weight("model.layers.{layer}." + weight + ".weight", 0, 1));
    }

    /// Sum of two values; `add("sum", "x").into("sum")` accumulates in place.
    public static LaunchDraft add(String a, String b) {
        return draft(KernelNames.ELTWISE_ADD, "a", new Source.Activation(a), "b", new Source.Activation(b));
    }

    private static LaunchDraft draft(String kernel, String first, Source firstSource, String second, Source secondSource) {
        SequencedMap<String, Source> inputs = new LinkedHashMap<>();
        inputs.put(first, firstSource);
        inputs.put(second, secondSource);
        return new LaunchDraft(kernel, inputs);
    }

    /// One ELF of these launches. An argument has the name of its value, or of its weight.
    public static NpuCall call(String name, BoundLaunch... drafts) {
        SequencedMap<String, Argument> arguments = new LinkedHashMap<>();
        List<Launch> launches = new ArrayList<>();
        for (BoundLaunch bound : drafts) {
            TreeMap<String, Operand> inputs = new TreeMap<>();
            bound.draft.inputs.forEach((port, source) -> {
                String argument = nameOf(source);
                arguments.putIfAbsent(argument, argument(argument, source));
                inputs.put(port, new Operand(argument, 0, N));
            });
            arguments.put(bound.output, argument(bound.output, new Source.Activation(bound.output)).withReadBack(true));
            launches.add(launch(bound.draft.kernel, drafts.length == 1 ? name : name + "_" + launches.size(), inputs, bound.output));
        }
        return new NpuCall(name, launches, List.copyOf(arguments.values()), BufferKey.SHARED, new ElfOptions(true, 16));
    }

    private static Launch launch(String kernel, String name, TreeMap<String, Operand> inputs, String output) {
        boolean norm = kernel.equals(KernelNames.RMS_NORM);
        return new Launch(name, kernel, kernel, new TreeMap<>(norm ? Map.of("rows", 1, "n", N) : Map.of("n", N)),
                new TreeMap<>(norm ? Map.of("epsilon", 1e-5) : Map.of()), new Herd(norm ? 1 : 4, 1),
                new TreeMap<>(norm ? Map.of() : Map.of("tile_n", N / 4)), inputs, new TreeMap<>(Map.of("out", new Operand(output, 0, N))));
    }

    private static Argument argument(String name, Source source) {
        return new Argument(name, List.of(N), DataType.BF16, source, Transfer.EVERY_CALL, false);
    }

    private static String nameOf(Source source) {
        return switch (source) {
            case Source.Activation activation -> activation.value();
            case Source.LookUpTable table -> table.value();
            case Source.Weight weight -> weight.tensor().replace("model.layers.{layer}.", "").replace(".weight", "");
            case Source.InterleavedWeights _, Source.Scratch _, Source.Packed _ -> throw new IllegalArgumentException("name it yourself: " + source);
        };
    }

    /// A host operation that reads one value and writes another: for a skill, a hard stop between calls.
    public static HostOp hostNorm(String in, String out) {
        return new HostOp("host_norm", HostKind.RMS_NORM, new TreeMap<>(Map.of("in", in, "weight", "model.norm.weight")),
                new TreeMap<>(Map.of("out", out)), new TreeMap<>(Map.of("n", N, "positions", 1)), new TreeMap<>());
    }

    /// A deployment of [TinyModel]'s shape whose decode layer has exactly these steps.
    public static Deployment plan(Step... layer) {
        PhasePlan empty = new PhasePlan(List.of(), List.of(), List.of());
        return new Deployment(TinyModel.SHAPE, TinyModel.DEVICE, empty, new PhasePlan(List.of(), List.of(layer), List.of()));
    }
}
