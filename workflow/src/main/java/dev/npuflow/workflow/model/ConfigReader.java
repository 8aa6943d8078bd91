package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.family.ClassDefaults;
import dev.npuflow.workflow.file.InputFile;
import dev.npuflow.workflow.file.RegularFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;

/// Reads config.json and generation_config.json. A field left out means what its class in transformers takes for it, as [ClassDefaults] says; what no
/// checkpoint leaves out is required.
///
/// A field that is null is not one that is left out. Null means *as many as heads* for key/value heads, *derived* for `head_dim`, *none* for a window,
/// a scaling, BOS and EOS, *false* for a switch; for any other number it is a fault, as the class could not compute with it.
public final class ConfigReader {

    private static final long MAXIMUM_BYTES = 4 << 20;
    private static final int MAXIMUM_LAYERS = 4096;
    private static final int MAXIMUM_WIDTH = 1 << 20;
    private static final int MAXIMUM_VOCABULARY = 1 << 24;

    private final JsonFields config;
    private final Optional<JsonFields> generation;
    private final StatedClass stated;
    private final Optional<Architecture> family;
    private final Optional<ClassDefaults> defaults;
    private final List<String> reasons = new ArrayList<>();

    private ConfigReader(JsonFields config, Optional<JsonFields> generation) {
        this.generation = generation;
        this.stated = StatedClass.of(config);
        this.family = Architecture.of(stated.name());
        this.defaults = family.map(known -> known.family().defaults());
        stated.refusal().ifPresent(reasons::add);
        reasons.addAll(Refusals.of(config, stated.name()));
        this.config = reasons.isEmpty() ? config : config.lenient();
    }

    /// @throws NpuflowException NPF-100 to NPF-106, NPF-112 naming file and field
    public static ModelDescription read(Path directory) {
        InputFile.requireDirectory(directory);
        return readFile(directory.resolve("config.json"));
    }

    /// The same of a configuration file, with the generation_config.json beside it, if there is one.
    public static ModelDescription readFile(Path file) {
        JsonFields config = JsonFields.read(file, MAXIMUM_BYTES);
        Path generation = file.resolveSibling("generation_config.json");
        return new ConfigReader(config, RegularFile.find(generation).map(there -> JsonFields.read(there, MAXIMUM_BYTES))).description();
    }

    private ModelDescription description() {
        OptionalInt heads = bounded("num_attention_heads", MAXIMUM_WIDTH);
        OptionalInt hidden = bounded("hidden_size", MAXIMUM_WIDTH);
        OptionalInt layers = bounded("num_hidden_layers", MAXIMUM_LAYERS);
        OptionalInt headDim = headDim(hidden, heads);
        OptionalInt pretrained = pretrainedPositions();
        OptionalInt positions = pretrained.isPresent() ? OptionalInt.of(RopeReader.positions(config, pretrained.getAsInt())) : pretrained;
        ModelDescription description = new ModelDescription(config.where(), stated.name(), reasons, warnings(), layers, hidden,
                bounded("intermediate_size", MAXIMUM_WIDTH), heads, keyValueHeads(heads), headDim, bounded("vocab_size", MAXIMUM_VOCABULARY),
                flag("tie_word_embeddings"), family.map(known -> known.family().block().apply(name -> config.flag(name).orElse(ClassDefaults.FLAG))),
                epsilon(), positions, rope(headDim, pretrained), dataType(), eosTokenIds(), bosTokenId());
        if (config.strict()) {
            requireTypes();
            requireWhole(description);
        }
        return description;
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>(stated.warnings());
        if (family.isPresent()) {
            warnings.addAll(RopeWarnings.of(config));
            twoDataTypes().ifPresent(warnings::add);
        }
        return warnings;
    }

    private Optional<Boolean> flag(String name) {
        return config.flag(name).or(() -> family.map(_ -> ClassDefaults.FLAG));
    }

    /// Before any scaling.
    private OptionalInt pretrainedPositions() {
        OptionalInt value = config.positive("max_position_embeddings");
        if (config.strict() && config.isNull("max_position_embeddings")) {
            throw config.fault("max_position_embeddings", "a positive integer, or no such field");
        }
        return value.isPresent() ? value : defaults.map(known -> OptionalInt.of(known.maximumPositions())).orElse(OptionalInt.empty());
    }

    private OptionalInt ofClass(Function<ClassDefaults, OptionalInt> byClass) {
        return defaults.map(byClass).orElse(OptionalInt.empty());
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

    private OptionalInt keyValueHeads(OptionalInt heads) {
        OptionalInt explicit = config.positive("num_key_value_heads");
        if (explicit.isPresent()) {
            return explicit;
        }
        OptionalInt byClass = config.isNull("num_key_value_heads") ? OptionalInt.empty() : ofClass(ClassDefaults::keyValueHeads);
        return byClass.isPresent() ? byClass : heads;
    }

    private OptionalInt headDim(OptionalInt hidden, OptionalInt heads) {
        OptionalInt explicit = config.positive("head_dim");
        if (explicit.isPresent()) {
            if (config.strict() && explicit.getAsInt() > MAXIMUM_WIDTH) {
                throw config.fault("head_dim", "at most %d".formatted(MAXIMUM_WIDTH));
            }
            return explicit;
        }
        OptionalInt byClass = config.isNull("head_dim") ? OptionalInt.empty() : ofClass(ClassDefaults::headDim);
        if (byClass.isPresent()) {
            return byClass;
        }
        if (hidden.isEmpty() || heads.isEmpty()) {
            return OptionalInt.empty();
        }
        if (config.strict() && hidden.getAsInt() % heads.getAsInt() != 0) {
            throw contradiction("num_attention_heads", heads.getAsInt(), "a divisor of hidden_size %d, or a field head_dim".formatted(hidden.getAsInt()));
        }
        return OptionalInt.of(hidden.getAsInt() / heads.getAsInt());
    }

    private OptionalDouble epsilon() {
        OptionalDouble value = config.number("rms_norm_eps");
        if (config.strict() && (config.isNull("rms_norm_eps") || value.orElse(0) < 0 || value.orElse(0) > 1)) {
            throw config.fault("rms_norm_eps", "a number from 0 to 1, or no such field");
        }
        return value.isPresent() || defaults.isEmpty() ? value : OptionalDouble.of(defaults.get().rmsNormEpsilon());
    }

    /// @param pretrained positions before any scaling
    private Optional<Rope> rope(OptionalInt headDim, OptionalInt pretrained) {
        if (headDim.isEmpty() || RopeReader.unsupported(config).isPresent() || !config.strict() && !speaksOfRope()) {
            return Optional.empty();
        }
        try {
            return Optional.of(RopeReader.read(config, headDim.getAsInt(), pretrained.orElse(2048)));
        } catch (NpuflowException fault) {
            if (config.strict()) {
                throw fault;
            }
            return Optional.empty();
        }
    }

    private boolean speaksOfRope() {
        return config.has("rope_theta") || config.has("rope_scaling") || config.has("rope_parameters");
    }

    private Optional<String> twoDataTypes() {
        Optional<String> old = config.lenient().text("torch_dtype");
        Optional<String> current = config.lenient().text("dtype");
        return old.isPresent() && current.isPresent() && !old.equals(current)
                ? Optional.of("dtype says %s, torch_dtype says %s: neither is read, the tensors have their own types".formatted(current.get(), old.get()))
                : Optional.empty();
    }

    /// Nothing is computed by it, so a field of another type is none.
    private Optional<String> dataType() {
        JsonFields fields = config.lenient();
        return fields.text("dtype").or(() -> fields.text("torch_dtype"));
    }

    /// generation_config.json counts where it sets the field, as in transformers' generate; else config.json.
    private List<Integer> eosTokenIds() {
        List<Integer> own = generation.map(fields -> fields.tokenIds("eos_token_id")).orElse(List.of());
        return (own.isEmpty() ? configured("eos_token_id", ClassDefaults::eosTokenId) : own).stream().distinct().sorted().toList();
    }

    private List<Integer> configured(String name, Function<ClassDefaults, OptionalInt> byClass) {
        return config.node().has(name) ? config.tokenIds(name) : ofClass(byClass).stream().boxed().toList();
    }

    private OptionalInt bosTokenId() {
        OptionalInt own = generation.map(fields -> fields.natural("bos_token_id")).orElse(OptionalInt.empty());
        return own.isPresent() ? own : config.node().has("bos_token_id") ? config.natural("bos_token_id") : ofClass(ClassDefaults::bosTokenId);
    }

    /// Fields that are only looked at for what they would switch on: a value of another type would read as their default.
    private void requireTypes() {
        List.of("attention_bias", "mlp_bias", "use_sliding_window", "is_encoder_decoder", "tie_word_embeddings").forEach(config::flag);
        config.text("hidden_act");
        config.text("model_type");
        config.texts("layer_types");
        config.natural("max_window_layers");
    }

    private void requireWhole(ModelDescription model) {
        int heads = model.heads().getAsInt();
        int keyValueHeads = model.keyValueHeads().getAsInt();
        if (heads % keyValueHeads != 0) {
            boolean stated = config.node().has("num_key_value_heads");
            throw contradiction("num_key_value_heads", keyValueHeads + (stated ? "" : ", which the class takes where the field is missing"),
                    "a divisor of num_attention_heads %d, so that each key/value head serves as many query heads".formatted(heads));
        }
        if ((long) heads * model.headDim().getAsInt() > MAXIMUM_WIDTH) {
            throw contradiction("num_attention_heads times head_dim", "%d times %d".formatted(heads, model.headDim().getAsInt()),
                    "at most %d".formatted(MAXIMUM_WIDTH));
        }
        int types = config.texts("layer_types").size();
        if (types > 0 && types != model.layers().getAsInt()) {
            throw contradiction("layer_types", "%d layers".formatted(types), "a type for each of the %d layers of num_hidden_layers".formatted(
                    model.layers().getAsInt()));
        }
    }

    private NpuflowException contradiction(String what, Object value, String expected) {
        return NpuflowException.badInput("NPF-112", "%s: %s".formatted(config.where(), what), value, expected, "the file as it was published");
    }
}
