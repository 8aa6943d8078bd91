package dev.npuflow.workflow.family;

import dev.npuflow.workflow.block.PreNorm;
import dev.npuflow.workflow.family.ClassDefaults.SlidingWindow;
import java.util.Map;
import java.util.OptionalInt;

/// Mistral: Llama's layer, without any bias. Source: transformers' `configuration_mistral.py`, `modeling_mistral.py`.
public final class Mistral {

    public static final Family FAMILY = new Family("MistralForCausalLM", "mistral",
            ClassDefaults.plain(131_072, 1e-6).withHeads(OptionalInt.of(8), OptionalInt.empty()).withWindow(new SlidingWindow.Always(4096))
                    .withIds(OptionalInt.of(1), OptionalInt.of(2)),
            Map.of(), UpstreamHead.LLAMA, _ -> PreNorm.of(false, false, false));

    private Mistral() {}
}
