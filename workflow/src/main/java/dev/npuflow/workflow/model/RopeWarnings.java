package dev.npuflow.workflow.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Rope fields that a reader of the file may understand otherwise than the program does: two places that say different things, a scaling that has no effect,
/// a base that is missing beside them. Which place counts is what transformers does; [RopeReader] reads so.
final class RopeWarnings {

    private static final List<String> OTHER_NAMES_OF_THETA = List.of("rope_base", "rope_freq_base", "rotary_base", "rotary_emb_base", "rope_embedding_base");
    private static final List<String> FIELDS_OF_A_SCALING = List.of("factor", "low_freq_factor", "high_freq_factor", "short_factor", "long_factor",
            "attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim");

    private final JsonFields config;
    private final JsonFields scaling;
    private final List<String> warnings = new ArrayList<>();

    private RopeWarnings(JsonFields config) {
        this.config = config.lenient();
        this.scaling = RopeReader.scalingOf(this.config);
    }

    static List<String> of(JsonFields config) {
        RopeWarnings rope = new RopeWarnings(config);
        rope.twoScalings();
        rope.twoTypes();
        rope.noType();
        rope.insideAndBeside("rope_theta", true);
        rope.insideAndBeside("partial_rotary_factor", true);
        rope.insideAndBeside("original_max_position_embeddings", false);
        rope.noTheta();
        return List.copyOf(rope.warnings);
    }

    private void twoScalings() {
        Optional<JsonFields> old = config.object("rope_scaling").filter(fields -> !fields.node().isEmpty());
        Optional<JsonFields> current = config.object("rope_parameters").filter(fields -> !fields.node().isEmpty());
        if (old.isPresent() && current.isPresent() && !RopeReader.typeOf(old.get()).equals(RopeReader.typeOf(current.get()))
                || old.isPresent() && current.isPresent() && FIELDS_OF_A_SCALING.stream().anyMatch(name -> differ(old.get(), current.get(), name))) {
            warnings.add("rope_scaling and rope_parameters say different things: rope_scaling is taken, as in transformers");
        }
    }

    private static boolean differ(JsonFields one, JsonFields other, String name) {
        return !same(one.node().get(name), other.node().get(name));
    }

    private void twoTypes() {
        Optional<String> type = scaling.text("type");
        Optional<String> ropeType = scaling.text("rope_type");
        if (type.isPresent() && ropeType.isPresent() && !RopeType.of(type.get()).equals(RopeType.of(ropeType.get()))) {
            warnings.add("the rope scaling has type %s and rope_type %s: rope_type is taken, as in transformers".formatted(type.get(), ropeType.get()));
        }
    }

    private void noType() {
        if (RopeReader.typeOf(scaling).equals(RopeType.DEFAULT.word())) {
            FIELDS_OF_A_SCALING.stream().filter(scaling::has).findFirst().ifPresent(name -> warnings.add(
                    "the rope scaling has a %s and %s: nothing is scaled".formatted(name, scaling.has("type") || scaling.has("rope_type")
                            ? "the type default" : "no type")));
        }
    }

    private void insideAndBeside(String name, boolean insideCounts) {
        if (config.has(name) && scaling.has(name) && !same(config.node().get(name), scaling.node().get(name))) {
            warnings.add("%s is %s in the rope scaling and %s beside it: the one %s is taken, as in transformers".formatted(name, scaling.node().get(name),
                    config.node().get(name), insideCounts ? "in the scaling" : "beside it"));
        }
    }

    private void noTheta() {
        if (config.has("rope_theta") || scaling.has("rope_theta")) {
            return;
        }
        String taken = "rope_theta is missing: 10000 is taken, the default of its class, although ";
        Optional<String> other = OTHER_NAMES_OF_THETA.stream().filter(name -> config.has(name) || scaling.has(name)).findFirst();
        if (other.isPresent()) {
            warnings.add(taken + "there is a %s, which no class in scope reads".formatted(other.get()));
        } else if (!scaling.node().isEmpty()) {
            warnings.add(taken + "the file speaks of rope scaling");
        }
    }

    /// 4 and 4.0 are one number.
    private static boolean same(JsonNode one, JsonNode other) {
        return one == null ? other == null : one.equals(other) || other != null && one.isNumber() && other.isNumber() && JsonFields.valueOf(one) == JsonFields.valueOf(other);
    }
}
