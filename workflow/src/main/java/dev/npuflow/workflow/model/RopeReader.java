package dev.npuflow.workflow.model;

import static java.lang.StrictMath.ceil;
import static java.lang.StrictMath.floor;
import static java.lang.StrictMath.log;
import static java.lang.StrictMath.sqrt;

import dev.npuflow.workflow.family.ClassDefaults;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import tools.jackson.databind.node.JsonNodeFactory;

/// Reads a configuration's rotary embedding in the old spelling (`rope_theta` beside `rope_scaling` with `rope_type` or `type`) and in that of
/// transformers 5 (everything in `rope_parameters`); where both stand, the old one counts, as in transformers. The formulas are those of transformers' modeling_rope_utils.py, computed in double with
/// StrictMath (equal on every machine) and rounded once to fp32.
final class RopeReader {

    private final JsonFields config;
    private final JsonFields scaling;
    private final int dimension;
    private final int maximumPositions;
    private final double theta;

    private RopeReader(JsonFields config, int headDim, int maximumPositions) {
        this.config = config;
        this.scaling = scalingOf(config);
        this.maximumPositions = maximumPositions;
        this.theta = first("rope_theta").orElse(ClassDefaults.ROPE_THETA);
        double factor = first("partial_rotary_factor").orElse(1.0);
        this.dimension = (int) (headDim * factor);
        if (theta <= 0 || config.strict() && config.isNull("rope_theta") && !scaling.has("rope_theta")) {
            throw fieldFault("rope_theta", "a number above 0");
        }
        if (factor <= 0 || factor > 1 || dimension < 2 || dimension % 2 != 0) {
            throw fieldFault("partial_rotary_factor", "an even share of head_dim %d, of at least 2 entries".formatted(headDim));
        }
    }

    static Rope read(JsonFields config, int headDim, int maximumPositions) {
        return new RopeReader(config, headDim, maximumPositions).rope();
    }

    /// The most positions that the scaling is made for: dynamic scaling goes beyond the pretrained length, up to `factor` times it. A field that cannot be
    /// is told when the scaling itself is read.
    static int positions(JsonFields config, int pretrained) {
        JsonFields scaling = scalingOf(config.lenient());
        boolean grows = RopeType.of(typeOf(scaling)).equals(Optional.of(RopeType.DYNAMIC));
        return grows ? (int) Math.clamp(Math.floor(scaling.number("factor").orElse(1) * pretrained), pretrained, Integer.MAX_VALUE) : pretrained;
    }

    /// Why the scaling is none of ours; empty if it is supported.
    static Optional<String> unsupported(JsonFields config) {
        JsonFields scaling = scalingOf(config);
        if (scaling.node().valueStream().anyMatch(value -> value.isObject())) {
            return Optional.of("rope parameters that differ by layer type");
        }
        String type = typeOf(scaling);
        return RopeType.of(type).isPresent() ? Optional.empty() : Optional.of("rope scaling type %s".formatted(type));
    }

    static JsonFields scalingOf(JsonFields config) {
        return config.object("rope_scaling").filter(fields -> !fields.node().isEmpty()).or(() -> config.object("rope_parameters"))
                .orElseGet(() -> new JsonFields(config.where(), JsonNodeFactory.instance.objectNode(), config.strict()));
    }

    static String typeOf(JsonFields scaling) {
        return scaling.text("rope_type").or(() -> scaling.text("type")).orElse("default");
    }

    private Rope rope() {
        RopeType type = RopeType.of(typeOf(scaling)).orElseThrow(() -> scaling.fault("rope_type", "a known rope scaling"));
        return switch (type) {
            case DEFAULT -> fixed(type, this::unscaled, 1);
            case LINEAR -> linear();
            case DYNAMIC -> new Rope(type, dimension, theta, new InverseFrequencies.Growing(dimension, theta, factor(), maximumPositions), 1);
            case YARN -> yarn();
            case LONGROPE -> longrope();
            case LLAMA3 -> llama3();
        };
    }

    private Rope linear() {
        double factor = factor();
        return fixed(RopeType.LINEAR, pair -> unscaled(pair) / factor, 1);
    }

    /// Fast pairs keep their frequency, slow ones are divided by the factor, a linear ramp lies between.
    private Rope yarn() {
        double original = originalPositions();
        double factor = scaling.has("factor") ? factor() : maximumPositions / original;
        double low = correction(scaling.number("beta_fast").orElse(32), original);
        double high = correction(scaling.number("beta_slow").orElse(1), original);
        boolean truncate = scaling.flag("truncate").orElse(true);
        double from = Math.max(truncate ? floor(low) : low, 0);
        double limit = Math.min(truncate ? ceil(high) : high, dimension - 1);
        double to = from == limit ? limit + 0.001 : limit;
        double attention = scaling.number("attention_factor").orElseGet(() -> yarnAttention(factor));
        return fixed(RopeType.YARN, pair -> {
            double ramp = Math.clamp((pair - from) / (to - from), 0.0, 1.0);
            return unscaled(pair) / factor * ramp + unscaled(pair) * (1 - ramp);
        }, attention);
    }

    private double yarnAttention(double factor) {
        double scale = scaling.number("mscale").orElse(0);
        double allDimensions = scaling.number("mscale_all_dim").orElse(0);
        return scale != 0 && allDimensions != 0 ? magnitude(factor, scale) / magnitude(factor, allDimensions) : magnitude(factor, 1);
    }

    private static double magnitude(double factor, double scale) {
        return factor <= 1 ? 1 : 0.1 * scale * log(factor) + 1;
    }

    /// The pair whose wave turns `rotations` times within the pretrained length.
    private double correction(double rotations, double original) {
        return dimension * log(original / (rotations * 2 * Math.PI)) / (2 * log(theta));
    }

    /// Both lists must be there: a run may cross the original length.
    private Rope longrope() {
        int original = originalPositions();
        double factor = scaling.has("factor") ? factor() : (double) maximumPositions / original;
        double attention = scaling.number("attention_factor").orElse(factor <= 1 ? 1 : sqrt(1 + log(factor) / log(original)));
        return new Rope(RopeType.LONGROPE, dimension, theta, new InverseFrequencies.Switched(original, divided("short_factor"), divided("long_factor")),
                (float) attention);
    }

    private float[] divided(String name) {
        List<Double> factors = scaling.numbers(name);
        if (factors.size() != dimension / 2 || factors.stream().anyMatch(value -> !(value > 0))) {
            throw scaling.has(name) ? scaling.fault(name, "%d numbers above 0".formatted(dimension / 2)) : scaling.missing(name);
        }
        return values(pair -> unscaled(pair) / factors.get(pair));
    }

    private Rope llama3() {
        double factor = factor();
        double low = required("low_freq_factor");
        double high = required("high_freq_factor");
        double original = originalPositions();
        if (!(high > low)) {
            throw scaling.fault("high_freq_factor", "more than low_freq_factor");
        }
        return fixed(RopeType.LLAMA3, pair -> {
            double frequency = unscaled(pair);
            double turns = original * frequency / (2 * Math.PI);
            double smooth = Math.clamp((turns - low) / (high - low), 0.0, 1.0);
            return (1 - smooth) * frequency / factor + smooth * frequency;
        }, 1);
    }

    private Rope fixed(RopeType type, IntToDoubleFunction frequency, double attentionFactor) {
        return new Rope(type, dimension, theta, new InverseFrequencies.Fixed(values(frequency)), (float) attentionFactor);
    }

    private float[] values(IntToDoubleFunction frequency) {
        float[] values = new float[dimension / 2];
        for (int pair = 0; pair < values.length; pair++) {
            values[pair] = (float) frequency.applyAsDouble(pair);
        }
        return values;
    }

    private double unscaled(int pair) {
        return InverseFrequencies.unscaled(theta, pair, dimension);
    }

    private double factor() {
        double factor = required("factor");
        if (factor <= 0) {
            throw scaling.fault("factor", "a number above 0");
        }
        return factor;
    }

    private double required(String name) {
        return scaling.number(name).orElseThrow(() -> scaling.missing(name));
    }

    /// A field beside `rope_scaling` goes first, as in transformers (Phi-3 stores it there).
    private int originalPositions() {
        String name = "original_max_position_embeddings";
        OptionalInt beside = config.positive(name);
        return beside.isPresent() ? beside.getAsInt() : scaling.positive(name).orElse(maximumPositions);
    }

    private OptionalDouble first(String name) {
        return scaling.has(name) ? scaling.number(name) : config.number(name);
    }

    private RuntimeException fieldFault(String name, String expected) {
        return (scaling.has(name) ? scaling : config).fault(name, expected);
    }
}
