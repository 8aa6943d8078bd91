package dev.npuflow.workflow.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Why a configuration is not supported, by name: what would be computed wrongly if it were run as one of the families in scope.
final class Refusals {

    private static final List<String> EXPERT_COUNTS = List.of("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts");

    private final JsonFields config;
    private final String architecture;

    private Refusals(JsonFields config, String architecture) {
        this.config = config.lenient();
        this.architecture = architecture;
    }

    static List<String> of(JsonFields config, String architecture) {
        return new Refusals(config, architecture).list();
    }

    private List<String> list() {
        List<String> reasons = new ArrayList<>();
        Optional<Architecture> family = Architecture.of(architecture);
        if (family.isEmpty()) {
            reasons.add("architecture %s".formatted(architecture));
        }
        Stream.of(encoderDecoder(), quantized(), experts(), latentAttention(), family.flatMap(this::slidingWindow), layerTypes(),
                family.flatMap(known -> foreignPart()), RopeReader.unsupported(config)).flatMap(Optional::stream).forEach(reasons::add);
        return reasons;
    }

    private Optional<String> encoderDecoder() {
        return config.flag("is_encoder_decoder").orElse(false) ? Optional.of("encoder-decoder") : Optional.empty();
    }

    private Optional<String> quantized() {
        return Stream.of("quantization_config", "compression_config").filter(config::has).findFirst().map(name -> "quantized weights (%s %s)".formatted(
                name, config.object(name).flatMap(how -> how.text("quant_method")).orElse("without quant_method")));
    }

    private Optional<String> experts() {
        Optional<String> count = EXPERT_COUNTS.stream().filter(name -> config.positive(name).isPresent()).findFirst();
        return count.map(name -> "mixture of experts (MoE: %s %d)".formatted(name, config.positive(name).getAsInt()))
                .or(() -> architecture.contains("Moe") || architecture.contains("MoE") ? Optional.of("mixture of experts (MoE)") : Optional.empty());
    }

    private Optional<String> latentAttention() {
        return config.positive("kv_lora_rank").isPresent()
                ? Optional.of("multi-head latent attention (MLA: kv_lora_rank %d)".formatted(config.positive("kv_lora_rank").getAsInt()))
                : Optional.empty();
    }

    /// A window that no position reaches past changes nothing. Qwen's is on only with `use_sliding_window`, from layer `max_window_layers` (28).
    private Optional<String> slidingWindow(Architecture family) {
        OptionalInt window = config.positive("sliding_window");
        boolean used = window.isPresent() && window.getAsInt() < config.positive("max_position_embeddings").orElse(Integer.MAX_VALUE)
                && switch (family) {
                    case LLAMA -> false;
                    case MISTRAL -> true;
                    case QWEN2, QWEN3 -> config.flag("use_sliding_window").orElse(false)
                            && config.natural("max_window_layers").orElse(28) < config.positive("num_hidden_layers").orElse(Integer.MAX_VALUE);
                };
        return used ? Optional.of("sliding window attention in use (sliding_window %d)".formatted(window.getAsInt())) : Optional.empty();
    }

    private Optional<String> layerTypes() {
        return config.texts("layer_types").stream().filter(type -> !type.equals("full_attention"))
                .filter(type -> !type.equals("sliding_attention") || config.positive("sliding_window").orElse(Integer.MAX_VALUE)
                        < config.positive("max_position_embeddings").orElse(Integer.MAX_VALUE))
                .findFirst().map("layer type %s"::formatted);
    }

    /// Switches inside the families themselves that the engines do not have.
    private Optional<String> foreignPart() {
        String activation = config.text("hidden_act").orElse("silu");
        if (!activation.equals("silu") && !activation.equals("swish")) {
            return Optional.of("hidden_act %s".formatted(activation));
        }
        return config.flag("mlp_bias").orElse(false) ? Optional.of("mlp_bias (a bias on gate, up and down)") : Optional.empty();
    }
}
