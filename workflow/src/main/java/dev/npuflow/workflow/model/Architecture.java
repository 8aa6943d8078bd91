package dev.npuflow.workflow.model;

import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.PreNorm;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The decoder-only families in scope.
public enum Architecture {
    LLAMA("LlamaForCausalLM", "llama", flags -> PreNorm.of(attentionBias(flags), attentionBias(flags), false)),
    MISTRAL("MistralForCausalLM", "mistral", _ -> PreNorm.of(false, false, false)),
    QWEN2("Qwen2ForCausalLM", "qwen2", _ -> PreNorm.of(true, false, false)),
    QWEN3("Qwen3ForCausalLM", "qwen3", flags -> PreNorm.of(attentionBias(flags), attentionBias(flags), true));

    private final String className;
    private final String modelType;
    private final Function<Predicate<String>, Block> block;

    Architecture(String className, String modelType, Function<Predicate<String>, Block> block) {
        this.className = className;
        this.modelType = modelType;
        this.block = block;
    }

    /// What a layer is made of.
    ///
    /// @param flags whether config.json sets the field of this name
    public Block block(Predicate<String> flags) {
        return block.apply(flags);
    }

    /// A bias on Q, K, V and O. Qwen2 and Mistral do not know the field: theirs are Q, K and V, and none.
    private static boolean attentionBias(Predicate<String> flags) {
        return flags.test("attention_bias");
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
