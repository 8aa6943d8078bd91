package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.model.ModelDescription;
import dev.npuflow.workflow.model.ModelInspection;
import dev.npuflow.workflow.model.Rope;
import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import dev.npuflow.workflow.model.safetensors.TensorEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What `inspect` prints: the same facts as JSON under stable names, and as aligned lines. A fact that the configuration does not hold is null.
final class InspectionText {

    private InspectionText() {}

    /// @param length that the frequencies of the rope are shown for
    static ObjectNode json(ModelInspection model, Optional<NpuFit> fit, int length) {
        ModelDescription description = model.description();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("architecture", description.architecture());
        node.put("supported", description.supported());
        node.put("reason", description.supported() ? null : description.reason());
        node.put("npu", fit.map(NpuFit::places).orElse(null));
        node.put("npu_reason", fit.filter(found -> !found.places()).map(NpuFit::reason).orElse(null));
        sizes(description).forEach((name, value) -> node.put(name, value.isPresent() ? (Integer) value.getAsInt() : null));
        flags(description).forEach((name, value) -> node.put(name, value.orElse(null)));
        description.rope().ifPresentOrElse(rope -> addRope(node.putObject("rope"), rope, length), () -> node.putNull("rope"));
        ArrayNode endings = node.putArray("eos_token_ids");
        description.eosTokenIds().forEach(endings::add);
        node.put("bos_token_id", description.bosTokenId().isPresent() ? (Integer) description.bosTokenId().getAsInt() : null);
        node.put("tensor_count", model.tensorCount());
        node.put("weights", model.weights().name().toLowerCase(Locale.ROOT));
        ArrayNode warnings = node.putArray("warnings");
        model.warnings().forEach(warnings::add);
        return node;
    }

    private static void addRope(ObjectNode node, Rope rope, int length) {
        node.put("rotary_dim", rope.rotaryDim());
        node.put("attention_factor", rope.attentionFactor());
        ArrayNode frequencies = node.putArray("inv_freq");
        for (float frequency : rope.inverseFrequencies(length)) {
            frequencies.add(frequency);
        }
    }

    static ObjectNode json(SafetensorsFile file) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ArrayNode tensors = node.putArray("tensors");
        for (TensorEntry entry : file.tensors()) {
            ObjectNode tensor = tensors.addObject().put("name", entry.name()).put("dtype", entry.type().name());
            ArrayNode shape = tensor.putArray("shape");
            entry.shape().forEach(shape::add);
        }
        return node;
    }

    static String lines(ModelInspection model, Optional<NpuFit> fit, int length) {
        ModelDescription description = model.description();
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("architecture", description.architecture());
        lines.put("supported", description.supported() ? "yes" : "no: " + description.reason());
        fit.ifPresent(found -> lines.put("npu", found.places() ? "places on npu2" : "no: " + found.reason()));
        sizes(description).forEach((name, value) -> lines.put(name, value.isPresent() ? String.valueOf(value.getAsInt()) : "-"));
        flags(description).forEach((name, value) -> lines.put(name, value.map(set -> set ? "yes" : "no").orElse("-")));
        lines.put("rope", description.rope().map(rope -> line(rope, length)).orElse("-"));
        lines.put("eos_token_ids", description.eosTokenIds().stream().map(String::valueOf).collect(Collectors.joining(", ")));
        lines.put("bos_token_id", description.bosTokenId().isPresent() ? String.valueOf(description.bosTokenId().getAsInt()) : "-");
        lines.put("tensor_count", String.valueOf(model.tensorCount()));
        lines.put("weights", model.weights().name().toLowerCase(Locale.ROOT));
        return Stream.concat(lines.entrySet().stream().map(line -> line(line.getKey(), line.getValue())),
                model.warnings().stream().map(warning -> line("warning", warning))).collect(Collectors.joining());
    }

    private static String line(String name, String value) {
        return "%-18s %s".formatted(name, Printable.of(value)).stripTrailing() + "\n";
    }

    private static String line(Rope rope, int length) {
        float[] frequencies = rope.inverseFrequencies(length);
        return "%d of a head's entries, inverse frequencies %s to %s, factor of cos and sin %s".formatted(rope.rotaryDim(), frequencies[0],
                frequencies[frequencies.length - 1], rope.attentionFactor());
    }

    static String lines(SafetensorsFile file) {
        List<TensorEntry> entries = file.tensors();
        int width = Math.min(80, entries.stream().mapToInt(entry -> entry.name().length()).max().orElse(0));
        String format = "%-" + Math.max(1, width) + "s  %-5s %s\n";
        return entries.stream().map(entry -> format.formatted(Printable.of(entry.name()), entry.type(), entry.shape())).collect(Collectors.joining());
    }

    private static Map<String, OptionalInt> sizes(ModelDescription model) {
        Map<String, OptionalInt> sizes = new LinkedHashMap<>();
        sizes.put("layers", model.layers());
        sizes.put("hidden_size", model.hiddenSize());
        sizes.put("intermediate_size", model.intermediateSize());
        sizes.put("heads", model.heads());
        sizes.put("kv_heads", model.keyValueHeads());
        sizes.put("head_dim", model.headDim());
        sizes.put("vocab_size", model.vocabSize());
        return sizes;
    }

    private static Map<String, Optional<Boolean>> flags(ModelDescription model) {
        Map<String, Optional<Boolean>> flags = new LinkedHashMap<>();
        flags.put("tied_lm_head", model.tiedHead());
        flags.put("qkv_bias", model.queryKeyValueBias());
        flags.put("o_bias", model.outputBias());
        flags.put("qk_norm", model.queryKeyNorm());
        return flags;
    }
}
