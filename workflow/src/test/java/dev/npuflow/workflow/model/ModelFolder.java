package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Writes model folders for tests: a small Llama configuration that a test changes field by field, and files of any bytes.
record ModelFolder(Path directory) {

    private static final String SMALL = """
            {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 1,
             "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 32, "max_position_embeddings": 256, "rms_norm_eps": 1e-05,
             "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": true, "bos_token_id": 0, "eos_token_id": 1}""";

    /// Lays fields over the small configuration; a field `null` in `changes` becomes a JSON null. Another class takes the `model_type` away, unless it says its own.
    ModelFolder config(String changes) {
        JsonMapper mapper = new JsonMapper();
        ObjectNode config = (ObjectNode) mapper.readTree(SMALL);
        ObjectNode laid = (ObjectNode) mapper.readTree(changes);
        if (laid.hasNonNull("architectures")) {
            config.remove("model_type");
        }
        config.setAll(laid);
        return file("config.json", mapper.writeValueAsString(config));
    }

    ModelFolder without(String field) {
        JsonMapper mapper = new JsonMapper();
        ObjectNode config = (ObjectNode) mapper.readTree(SMALL);
        config.remove(field);
        return file("config.json", mapper.writeValueAsString(config));
    }

    /// Takes a field out of the configuration that was written.
    ModelFolder remove(String field) {
        JsonMapper mapper = new JsonMapper();
        ObjectNode config = (ObjectNode) mapper.readTree(directory.resolve("config.json").toFile());
        config.remove(field);
        return file("config.json", mapper.writeValueAsString(config));
    }

    ModelFolder file(String name, String text) {
        return file(name, text.getBytes(StandardCharsets.UTF_8));
    }

    ModelFolder file(String name, byte[] bytes) {
        try {
            Files.write(directory.resolve(name), bytes);
            return this;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// A safetensors file from its header's JSON and a number of zero bytes.
    static byte[] safetensors(String header, int dataBytes) {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + json.length + dataBytes).order(ByteOrder.LITTLE_ENDIAN).putLong(json.length).put(json).array();
    }

    ModelDescription read() {
        return ConfigReader.read(directory);
    }

    LanguageModel open(Path cache) throws NpuflowException {
        return LanguageModels.open(directory, OpenOptions.cachingIn(cache));
    }
}
