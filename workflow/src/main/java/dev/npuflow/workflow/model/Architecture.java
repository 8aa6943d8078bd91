package dev.npuflow.workflow.model;

import dev.npuflow.workflow.family.Family;
import dev.npuflow.workflow.family.Llama;
import dev.npuflow.workflow.family.Mistral;
import dev.npuflow.workflow.family.Olmo2;
import dev.npuflow.workflow.family.Qwen2;
import dev.npuflow.workflow.family.Qwen3;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// The decoder-only families in scope, a line each.
public enum Architecture {
    LLAMA(Llama.FAMILY),
    MISTRAL(Mistral.FAMILY),
    QWEN2(Qwen2.FAMILY),
    QWEN3(Qwen3.FAMILY),
    OLMO2(Olmo2.FAMILY);

    private final Family family;

    Architecture(Family family) {
        this.family = family;
    }

    public Family family() {
        return family;
    }

    /// The name in `architectures` of config.json.
    public String className() {
        return family.className();
    }

    /// The family of a class name; empty if it is not in scope.
    public static Optional<Architecture> of(String className) {
        return Arrays.stream(values()).filter(known -> known.className().equals(className)).findFirst();
    }

    /// The family of a `model_type`; empty if it is not in scope.
    static Optional<Architecture> ofModelType(String modelType) {
        return Arrays.stream(values()).filter(known -> known.family.modelType().equals(modelType)).findFirst();
    }

    static String classNames() {
        return Arrays.stream(values()).map(Architecture::className).collect(Collectors.joining(", "));
    }
}
