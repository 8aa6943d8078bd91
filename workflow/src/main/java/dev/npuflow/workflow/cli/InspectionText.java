package dev.npuflow.workflow.cli;

import dev.npuflow.fault.OneLine;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.estimate.RunMemory;
import dev.npuflow.workflow.file.InputFile;
import dev.npuflow.workflow.model.ModelDescription;
import dev.npuflow.workflow.model.ModelInspection;
import dev.npuflow.workflow.model.Rope;
import dev.npuflow.workflow.model.StoredBytes;
import dev.npuflow.workflow.model.safetensors.ElementType;
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

    static ObjectNode json(InspectedModel inspected) {
        ModelInspection model = inspected.model();
        ModelDescription description = model.description();
        Optional<NpuFit> fit = inspected.fit();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("name", inspected.yaml().name().orElse(null));
        node.put("notes", inspected.yaml().notes().orElse(null));
        node.put("architecture", description.architecture());
        node.put("supported", description.supported());
        node.put("reason", description.supported() ? null : description.reason());
        node.put("device", inspected.device().name());
        node.put("npu", fit.map(NpuFit::places).orElse(null));
        node.put("npu_reason", fit.filter(found -> !found.places()).map(NpuFit::reason).orElse(null));
        sizes(description).forEach((name, value) -> node.put(name, value.isPresent() ? (Integer) value.getAsInt() : null));
        flags(description).forEach((name, value) -> node.put(name, value.orElse(null)));
        description.rope().ifPresentOrElse(rope -> addRope(node.putObject("rope"), rope, inspected.length()), () -> node.putNull("rope"));
        ArrayNode endings = node.putArray("eos_token_ids");
        description.eosTokenIds().forEach(endings::add);
        node.put("bos_token_id", description.bosTokenId().isPresent() ? (Integer) description.bosTokenId().getAsInt() : null);
        node.put("tensor_count", model.tensorCount());
        node.put("weights", model.weights().name().toLowerCase(Locale.ROOT));
        node.put("parameters", model.parameters() == 0 ? null : (Long) model.parameters());
        addStored(node, model.stored());
        node.put("tokenizer", model.tokenizer().map(InputFile::name).orElse(null));
        inspected.memory().ifPresentOrElse(memory -> addMemory(node.putObject("memory"), memory), () -> node.putNull("memory"));
        ArrayNode warnings = node.putArray("warnings");
        model.warnings().forEach(warnings::add);
        return node;
    }

    private static void addMemory(ObjectNode node, RunMemory memory) {
        node.put("positions", memory.positions());
        node.put("reference_bytes", memory.reference());
        node.put("npu_bytes", memory.npu().isPresent() ? (Long) memory.npu().getAsLong() : null);
    }

    private static void addStored(ObjectNode node, StoredBytes stored) {
        ArrayNode types = node.putArray("data_types");
        stored.bytesByType().keySet().forEach(type -> types.add(type.name()));
        node.put("weight_bytes", stored.bytes());
    }

    private static void addRope(ObjectNode node, Rope rope, int length) {
        node.put("type", rope.type().word());
        node.put("theta", rope.theta());
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
        addStored(node, StoredBytes.of(file.tensors()));
        return node;
    }

    static String lines(InspectedModel inspected) {
        ModelInspection model = inspected.model();
        ModelDescription description = model.description();
        Map<String, String> lines = new LinkedHashMap<>();
        inspected.yaml().name().ifPresent(name -> lines.put("name", name));
        inspected.yaml().notes().ifPresent(notes -> lines.put("notes", notes));
        lines.put("architecture", description.architecture());
        lines.put("supported", description.supported() ? "yes" : "no: " + description.reason());
        inspected.fit().ifPresent(found -> lines.put("npu", found.places() ? "places on " + inspected.device().name() : "no: " + found.reason()));
        sizes(description).forEach((name, value) -> lines.put(name, value.isPresent() ? Amount.count(value.getAsInt()) : "-"));
        flags(description).forEach((name, value) -> lines.put(name, value.map(set -> set ? "yes" : "no").orElse("-")));
        lines.put("rope", description.rope().map(InspectionText::line).orElse("-"));
        description.rope().ifPresent(rope -> lines.put("rope_frequencies", frequencies(rope, inspected.length())));
        lines.put("eos_token_ids", description.eosTokenIds().isEmpty() ? "-" : description.eosTokenIds().stream().map(String::valueOf)
                .collect(Collectors.joining(", ")));
        lines.put("bos_token_id", description.bosTokenId().isPresent() ? String.valueOf(description.bosTokenId().getAsInt()) : "-");
        lines.put("parameters", model.parameters() == 0 ? "-" : Amount.count(model.parameters()));
        lines.put("tensor_count", Amount.count(model.tensorCount()));
        lines.put("weights", model.weights().name().toLowerCase(Locale.ROOT));
        lines.put("weight_size", stored(model.stored()));
        lines.put("tokenizer", model.tokenizer().map(InputFile::name).orElse("none"));
        lines.put("memory", inspected.memory().map(InspectionText::line).orElse("-"));
        return Stream.concat(lines.entrySet().stream().map(line -> line(line.getKey(), line.getValue())),
                model.warnings().stream().map(warning -> line("warning", warning))).collect(Collectors.joining());
    }

    private static String line(String name, String value) {
        return "%-18s %s".formatted(name, OneLine.of(value)).stripTrailing() + "\n";
    }

    private static String line(Rope rope) {
        return "theta %s, scaling %s, %d of a head's entries".formatted(theta(rope), rope.type().word(), rope.rotaryDim());
    }

    private static String theta(Rope rope) {
        return rope.theta() == Math.rint(rope.theta()) && rope.theta() < 1e15 ? Amount.count((long) rope.theta()) : rope.thetaText();
    }

    private static String frequencies(Rope rope, int length) {
        float[] frequencies = rope.inverseFrequencies(length);
        return "%s to %s, factor of cos and sin %s".formatted(frequencies[0], frequencies[frequencies.length - 1], rope.attentionFactor());
    }

    private static String stored(StoredBytes stored) {
        return stored.bytes() == 0 ? "-" : "%s in %s".formatted(Amount.bytes(stored.bytes()),
                stored.bytesByType().keySet().stream().map(ElementType::name).collect(Collectors.joining(", ")));
    }

    private static String line(RunMemory memory) {
        String npu = memory.npu().isPresent() ? ", %s on the simulated NPU".formatted(Amount.bytes(memory.npu().getAsLong())) : "";
        return "about %s on the reference%s, for %s positions".formatted(Amount.bytes(memory.reference()), npu, Amount.count(memory.positions()));
    }

    static String lines(SafetensorsFile file) {
        List<TensorEntry> entries = file.tensors();
        int width = Math.min(80, entries.stream().mapToInt(entry -> entry.name().length()).max().orElse(0));
        String format = "%-" + Math.max(1, width) + "s  %-5s %s\n";
        StoredBytes stored = StoredBytes.of(entries);
        return entries.stream().map(entry -> format.formatted(OneLine.of(entry.name()), entry.type(), entry.shape())).collect(Collectors.joining())
                + "%s tensors of %s elements, %s\n".formatted(Amount.count(entries.size()), Amount.count(stored.elements()), stored(stored));
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
        sizes.put("positions", model.maximumPositions());
        return sizes;
    }

    private static Map<String, Optional<Boolean>> flags(ModelDescription model) {
        Map<String, Optional<Boolean>> flags = new LinkedHashMap<>();
        flags.put("tied_lm_head", model.tiedHead());
        flags.put("qkv_bias", model.block().map(Block::hasInputBias));
        flags.put("o_bias", model.block().map(Block::hasOutputBias));
        flags.put("qk_norm", model.block().map(Block::normsQueriesAndKeys));
        return flags;
    }
}
