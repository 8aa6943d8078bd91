package dev.npuflow.workflow.family;

import dev.npuflow.workflow.block.PreNorm;
import dev.npuflow.workflow.family.ClassDefaults.SlidingWindow;
import java.util.Map;
import java.util.OptionalInt;

/// Qwen2 and Qwen2.5: Q, K and V have a bias, and no switch for it. Source: transformers' `configuration_qwen2.py`, `modeling_qwen2.py`.
public final class Qwen2 {

    public static final Family FAMILY = new Family("Qwen2ForCausalLM", "qwen2",
            ClassDefaults.plain(32_768, 1e-6).withHeads(OptionalInt.of(32), OptionalInt.empty()).withWindow(new SlidingWindow.Switched(4096, 28)),
            Map.of(), UpstreamHead.QWEN, _ -> PreNorm.of(true, false, false));

    private Qwen2() {}
}
