package dev.npuflow.workflow.model;

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
}
