package dev.npuflow.workflow.model;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// The decoder-only families in scope.
public enum Architecture {
    LLAMA("LlamaForCausalLM"), MISTRAL("MistralForCausalLM"), QWEN2("Qwen2ForCausalLM"), QWEN3("Qwen3ForCausalLM");

    private final String className;

    Architecture(String className) {
        this.className = className;
    }

    /// The name in `architectures` of config.json.
    public String className() {
        return className;
    }

    /// The family of a class name; empty if it is not in scope.
    public static Optional<Architecture> of(String className) {
        return Arrays.stream(values()).filter(family -> family.className.equals(className)).findFirst();
    }

    static String classNames() {
        return Arrays.stream(values()).map(Architecture::className).collect(Collectors.joining(", "));
    }
}
