package dev.npuflow.workflow.model;

import dev.npuflow.workflow.family.ClassDefaults;
import dev.npuflow.workflow.family.ClassDefaults.SlidingWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        Stream.of(encoderDecoder(), quantized(), experts(), latentAttention(), family.flatMap(this::slidingWindow), layerTypes(family.map(known -> known.family().defaults())),
                family.flatMap(this::foreignPart), RopeReader.unsupported(config)).flatMap(Optional::stream).forEach(reasons::add);
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

    /// A window that no position reaches past changes nothing. Which layers it is on in says the class: Mistral's are all, whatever `layer_types` says; Qwen's are those
    /// of `layer_types`, or, where it is missing, those from `max_window_layers` on, if `use_sliding_window` says so at all.
    private Optional<String> slidingWindow(Architecture family) {
        ClassDefaults defaults = family.family().defaults();
        OptionalInt window = window(defaults);
        if (window.isEmpty() || window.getAsInt() >= positions(defaults)) {
            return Optional.empty();
        }
        boolean used = switch (defaults.slidingWindow()) {
            case SlidingWindow.Unknown _ -> false;
            case SlidingWindow.Always _ -> true;
            case SlidingWindow.Switched switched -> config.flag("use_sliding_window").orElse(ClassDefaults.FLAG) && config.texts("layer_types").isEmpty()
                    && firstWindowLayer(switched) < config.positive("num_hidden_layers").orElse(Integer.MAX_VALUE);
        };
        return used ? Optional.of("sliding window attention in use (sliding_window %s)".formatted(config.has("sliding_window")
                ? config.node().get("sliding_window") : "%d, which the class takes where the field is missing".formatted(window.getAsInt()))) : Optional.empty();
    }

    /// Null is no window. What is no positive number is no window that could be ignored.
    private OptionalInt window(ClassDefaults defaults) {
        if (!config.node().has("sliding_window")) {
            return defaults.slidingWindow().size();
        }
        return config.isNull("sliding_window") ? OptionalInt.empty() : OptionalInt.of(config.positive("sliding_window").orElse(0));
    }

    private int positions(ClassDefaults defaults) {
        return RopeReader.positions(config, config.positive("max_position_embeddings").orElse(defaults.maximumPositions()));
    }

    /// Null is no layer to begin with: transformers cannot compare with it, so nothing tells that the window is off.
    private int firstWindowLayer(SlidingWindow.Switched window) {
        return config.natural("max_window_layers").orElse(config.isNull("max_window_layers") ? 0 : window.firstLayer());
    }

    private Optional<String> layerTypes(Optional<ClassDefaults> defaults) {
        int window = defaults.map(this::window).orElse(OptionalInt.empty()).orElse(0);
        int positions = defaults.map(this::positions).orElse(Integer.MAX_VALUE);
        return config.texts("layer_types").stream().filter(type -> !type.equals("full_attention"))
                .filter(type -> !type.equals("sliding_attention") || window < positions)
                .findFirst().map("layer type %s"::formatted);
    }

    /// Switches inside the families themselves that the engines do not have.
    private Optional<String> foreignPart(Architecture family) {
        String activation = config.text("hidden_act").orElse(config.isNull("hidden_act") ? "null" : ClassDefaults.HIDDEN_ACTIVATION);
        if (!activation.equals("silu") && !activation.equals("swish")) {
            return Optional.of("hidden_act %s".formatted(activation));
        }
        return family.family().refused().entrySet().stream().filter(refused -> config.flag(refused.getKey()).orElse(ClassDefaults.FLAG)).sorted(Map.Entry.comparingByKey())
                .findFirst().map(refused -> "%s (%s)".formatted(refused.getKey(), refused.getValue()));
    }
}
