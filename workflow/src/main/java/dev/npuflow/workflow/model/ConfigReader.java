package dev.npuflow.workflow.model;

import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.file.RegularFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/// Reads config.json and generation_config.json. A field left out means what its class in transformers 4.57 and 5 takes for it; what no checkpoint
/// leaves out is required, so that a cut file is not run on guesses.
public final class ConfigReader {

    private static final long MAXIMUM_BYTES = 4 << 20;
    private static final int MAXIMUM_LAYERS = 4096;
    private static final int MAXIMUM_WIDTH = 1 << 20;
    private static final int MAXIMUM_VOCABULARY = 1 << 24;

    private final JsonFields config;
    private final Optional<JsonFields> generation;
    private final OptionalInt context;
    private final String architecture;
    private final List<String> reasons;

    private ConfigReader(JsonFields config, Optional<JsonFields> generation, OptionalInt context) {
        this.generation = generation;
        this.context = context;
        this.architecture = architectureOf(config);
        this.reasons = Refusals.of(config, architecture);
        this.config = reasons.isEmpty() ? config : config.lenient();
    }

    /// @param context positions that dynamic and longrope scaling are resolved for
    /// @throws NpuflowException NPF-100 to NPF-106, NPF-112 naming file and field
    public static ModelDescription read(Path directory, OptionalInt context) {
        InputFile.requireDirectory(directory);
        return readFile(directory.resolve("config.json"), context);
    }

    /// The same of a configuration file, with the generation_config.json beside it, if there is one.
    public static ModelDescription readFile(Path file, OptionalInt context) {
        JsonFields config = JsonFields.read(file, MAXIMUM_BYTES);
        Path generation = file.resolveSibling("generation_config.json");
        return new ConfigReader(config, RegularFile.find(generation).map(there -> JsonFields.read(there, MAXIMUM_BYTES)), context).description();
    }

    private static String architectureOf(JsonFields config) {
        List<String> names = config.texts("architectures");
        if (!names.isEmpty()) {
            return names.getFirst();
        }
        return switch (config.text("model_type").orElseThrow(() -> config.missing("architectures"))) {
            case "llama" -> Architecture.LLAMA.className();
            case "mistral" -> Architecture.MISTRAL.className();
            case "qwen2" -> Architecture.QWEN2.className();
            case "qwen3" -> Architecture.QWEN3.className();
            case String other -> other;
        };
    }

    private ModelDescription description() {
        Optional<Architecture> family = Architecture.of(architecture);
        OptionalInt heads = bounded("num_attention_heads", MAXIMUM_WIDTH);
        OptionalInt hidden = bounded("hidden_size", MAXIMUM_WIDTH);
        OptionalInt keyValueHeads = config.positive("num_key_value_heads").isPresent() ? config.positive("num_key_value_heads") : heads;
        OptionalInt headDim = headDim(family, hidden, heads);
        OptionalInt positions = orDefault(family, config.positive("max_position_embeddings"), known -> known == Architecture.LLAMA ? 2048 : 32768);
        ModelDescription description = new ModelDescription(config.where(), architecture, reasons, bounded("num_hidden_layers", MAXIMUM_LAYERS), hidden,
                bounded("intermediate_size", MAXIMUM_WIDTH), heads, keyValueHeads, headDim, bounded("vocab_size", MAXIMUM_VOCABULARY),
                config.flag("tie_word_embeddings").or(() -> family.map(known -> false)),
                family.map(known -> known == Architecture.QWEN2 || attentionBias(known)), family.map(this::attentionBias), family.map(known -> known == Architecture.QWEN3), epsilon(family), positions,
                rope(headDim, positions), eosTokenIds(), bosTokenId());
        if (config.strict()) {
            requireWhole(description);
        }
        return description;
    }

    /// `attention_bias` gives all four projections a bias. Qwen2 and Mistral do not know it: theirs are Q, K and V, and none.
    private boolean attentionBias(Architecture family) {
        return switch (family) {
            case LLAMA, QWEN3 -> config.flag("attention_bias").orElse(false);
            case MISTRAL, QWEN2 -> false;
        };
    }

    private OptionalInt bounded(String name, int maximum) {
        OptionalInt value = config.positive(name);
        if (config.strict() && value.isEmpty()) {
            throw config.missing(name);
        }
        if (config.strict() && value.getAsInt() > maximum) {
            throw config.fault(name, "at most %d".formatted(maximum));
        }
        return value;
    }

    /// Null means derived; a Qwen3 configuration without the key means 128, its class's default.
    private OptionalInt headDim(Optional<Architecture> family, OptionalInt hidden, OptionalInt heads) {
        OptionalInt explicit = config.positive("head_dim");
        if (explicit.isPresent()) {
            if (config.strict() && explicit.getAsInt() > MAXIMUM_WIDTH) {
                throw config.fault("head_dim", "at most %d".formatted(MAXIMUM_WIDTH));
            }
            return explicit;
        }
        if (family.equals(Optional.of(Architecture.QWEN3)) && !config.node().has("head_dim")) {
            return OptionalInt.of(128);
        }
        if (hidden.isEmpty() || heads.isEmpty()) {
            return OptionalInt.empty();
        }
        if (config.strict() && hidden.getAsInt() % heads.getAsInt() != 0) {
            throw contradiction("num_attention_heads %d does not divide hidden_size %d".formatted(heads.getAsInt(), hidden.getAsInt()),
                    "heads that divide the hidden size, or head_dim");
        }
        return OptionalInt.of(hidden.getAsInt() / heads.getAsInt());
    }

    private static OptionalInt orDefault(Optional<Architecture> family, OptionalInt value, ToIntFunction<Architecture> byFamily) {
        return value.isPresent() || family.isEmpty() ? value : OptionalInt.of(byFamily.applyAsInt(family.get()));
    }

    private OptionalDouble epsilon(Optional<Architecture> family) {
        OptionalDouble value = config.number("rms_norm_eps");
        if (config.strict() && value.isPresent() && value.getAsDouble() < 0) {
            throw config.fault("rms_norm_eps", "0 or more");
        }
        return value.isPresent() || family.isEmpty() ? value : OptionalDouble.of(1e-6);
    }

    private Optional<Rope> rope(OptionalInt headDim, OptionalInt positions) {
        if (headDim.isEmpty() || RopeReader.unsupported(config).isPresent() || !config.strict() && !speaksOfRope()) {
            return Optional.empty();
        }
        Supplier<Rope> read = () -> RopeReader.read(config, headDim.getAsInt(), positions.orElse(2048), context);
        if (config.strict()) {
            return Optional.of(read.get());
        }
        try {
            return Optional.of(read.get());
        } catch (NpuflowException foreign) {
            return Optional.empty();
        }
    }

    private boolean speaksOfRope() {
        return config.has("rope_theta") || config.has("rope_scaling") || config.has("rope_parameters");
    }

    /// generation_config.json counts where it sets the field, as in transformers' generate; else config.json.
    private List<Integer> eosTokenIds() {
        List<Integer> own = generation.map(fields -> fields.tokenIds("eos_token_id")).orElse(List.of());
        return (own.isEmpty() ? config.tokenIds("eos_token_id") : own).stream().distinct().sorted().toList();
    }

    private OptionalInt bosTokenId() {
        OptionalInt own = generation.map(fields -> fields.natural("bos_token_id")).orElse(OptionalInt.empty());
        return own.isPresent() ? own : config.natural("bos_token_id");
    }

    private void requireWhole(ModelDescription model) {
        int heads = model.heads().getAsInt();
        int keyValueHeads = model.keyValueHeads().getAsInt();
        if (heads % keyValueHeads != 0) {
            throw contradiction("num_key_value_heads %d does not divide num_attention_heads %d".formatted(keyValueHeads, heads),
                    "each key/value head to serve the same number of query heads");
        }
        if ((long) heads * model.headDim().getAsInt() > MAXIMUM_WIDTH) {
            throw contradiction("num_attention_heads %d times head_dim %d is too wide".formatted(heads, model.headDim().getAsInt()),
                    "at most %d".formatted(MAXIMUM_WIDTH));
        }
    }

    private NpuflowException contradiction(String what, String expected) {
        return NpuflowException.badInput("NPF-112", "%s: %s".formatted(config.where(), what), expected, "the file as it was published");
    }
}
