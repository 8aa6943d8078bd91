package dev.npuflow.workflow.model;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// The decoder-only families in scope.
public enum Architecture {
    LLAMA("LlamaForCausalLM", "llama"), MISTRAL("MistralForCausalLM", "mistral"), QWEN2("Qwen2ForCausalLM", "qwen2"), QWEN3("Qwen3ForCausalLM", "qwen3");

    private final String className;
    private final String modelType;

    Architecture(String className, String modelType) {
        this.className = className;
        this.modelType = modelType;
    }

    /// The name in `architectures` of config.json.
    public String className() {
        return className;
    }

    /// The family of a class name; empty if it is not in scope.
    public static Optional<Architecture> of(String className) {
        return Arrays.stream(values()).filter(family -> family.className.equals(className)).findFirst();
    }

    /// The family of a `model_type`; empty if it is not in scope.
    static Optional<Architecture> ofModelType(String modelType) {
        return Arrays.stream(values()).filter(family -> family.modelType.equals(modelType)).findFirst();
    }

    static String classNames() {
        return Arrays.stream(values()).map(Architecture::className).collect(Collectors.joining(", "));
    }
}
