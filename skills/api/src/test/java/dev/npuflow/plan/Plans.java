package dev.npuflow.plan;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Small plans for tests.
final class Plans {

    static final int N = 64;

    private Plans() {}

    static Argument argument(String name, Source source) {
        return new Argument(name, List.of(N), DataType.BF16, source, Transfer.EVERY_CALL, false);
    }

    static Argument activation(String name) {
        return argument(name, new Source.Activation(name));
    }

    static Argument weight(String name, String tensor) {
        return argument(name, new Source.Weight(tensor, 0, 1));
    }

    static Launch launch(String name, Map<String, Operand> inputs, Map<String, Operand> outputs) {
        return new Launch(name, "rms_norm", name, new TreeMap<>(Map.of("rows", 1, "n", N)), new TreeMap<>(Map.of("epsilon", 1e-5)),
                new Herd(1, 1), new TreeMap<>(), new TreeMap<>(inputs), new TreeMap<>(outputs));
    }

    static Operand all(String argument) {
        return new Operand(argument, 0, N);
    }

    static NpuCall call(String name, List<Launch> launches, Argument... arguments) {
        return new NpuCall(name, launches, List.of(arguments), BufferKey.SHARED, new ElfOptions(true, 16));
    }

    /// x, weight → y, read back.
    static NpuCall norm() {
        return call("norm", List.of(launch("norm", Map.of("in", all("x"), "weight", all("weight")), Map.of("out", all("y")))),
                activation("x"), weight("weight", "model.layers.{layer}.input_layernorm.weight"), activation("y").withReadBack(true));
    }

    static Deployment deployment(NpuCall... layer) {
        PhasePlan empty = new PhasePlan(List.of(), List.of(), List.of());
        HostOp argmax = new HostOp("argmax", HostKind.ARGMAX, new TreeMap<>(Map.of("part_0", "y")), new TreeMap<>(Map.of("token", "token")),
                new TreeMap<>(Map.of("rows", N)), new TreeMap<>());
        return new Deployment(new ModelShape("tiny", 2, N, 2 * N, 2, 1, 32, 128, true, false, false, 1e-5, 128), "npu2", empty,
                new PhasePlan(List.of(), List.of(layer), List.of(argmax)));
    }
}
