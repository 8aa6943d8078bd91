package dev.npuflow.workflow.family;

import dev.npuflow.workflow.block.PreNorm;
import dev.npuflow.workflow.family.ClassDefaults.SlidingWindow;
import java.util.Map;
import java.util.OptionalInt;

/// Qwen3: each head of Q and K is normed. `attention_bias` gives Q, K, V and O a bias. Source: transformers' `configuration_qwen3.py`, `modeling_qwen3.py`.
public final class Qwen3 {

    public static final Family FAMILY = new Family("Qwen3ForCausalLM", "qwen3",
            ClassDefaults.plain(32_768, 1e-6).withHeads(OptionalInt.of(32), OptionalInt.of(128)).withWindow(new SlidingWindow.Switched(4096, 28)),
            Map.of(), UpstreamHead.QWEN, flags -> PreNorm.of(flags.test("attention_bias"), flags.test("attention_bias"), true));

    private Qwen3() {}
}
