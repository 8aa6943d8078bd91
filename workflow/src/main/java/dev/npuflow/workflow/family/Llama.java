package dev.npuflow.workflow.family;

import dev.npuflow.workflow.block.PreNorm;
import java.util.Map;
import java.util.OptionalInt;

/// Llama, and what has its form. `attention_bias` gives Q, K, V and O a bias. Source: transformers' `configuration_llama.py`, `modeling_llama.py`.
public final class Llama {

    public static final Family FAMILY = new Family("LlamaForCausalLM", "llama",
            ClassDefaults.plain(2048, 1e-6).withIds(OptionalInt.of(1), OptionalInt.of(2)),
            Map.of("mlp_bias", "a bias on gate, up and down"), UpstreamHead.LLAMA,
            flags -> PreNorm.of(flags.test("attention_bias"), flags.test("attention_bias"), false));

    private Llama() {}
}
