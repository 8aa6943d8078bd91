package dev.npuflow.workflow.lowering;

import dev.npuflow.workflow.model.ConfigReader;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.OpenOptions;
import dev.npuflow.workflow.model.TensorShapes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.StringJoiner;

/// A small model of any family and shape with random weights, large enough that logits are far apart and that every tensor matters.
final class RandomModel {

    private RandomModel() {}

    /// @param shape fields of config.json beside those that all have in common, such as `"hidden_size": 128, …`
    static LanguageModel open(Path directory, String architecture, String type, String shape) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("config.json"), """
                    {"architectures": ["%s"], "model_type": "%s", "max_position_embeddings": 4096, "rms_norm_eps": 1e-6, "rope_theta": 10000.0,
                     "hidden_act": "silu", "tie_word_embeddings": false, "bos_token_id": 0, "eos_token_id": 1, "torch_dtype": "bfloat16", %s}
                    """.formatted(architecture, type, shape));
            Files.write(directory.resolve("model.safetensors"), weights(directory));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return LanguageModels.open(directory, OpenOptions.cachingIn(directory));
    }

    private static byte[] weights(Path directory) {
        StringJoiner header = new StringJoiner(",", "{", "}");
        java.io.ByteArrayOutputStream data = new java.io.ByteArrayOutputStream();
        TensorShapes.of(ConfigReader.read(directory).config()).forEach((name, shape) -> {
            int from = data.size();
            long elements = shape.stream().reduce(1L, Math::multiplyExact);
            Random random = new Random(name.hashCode());
            boolean norm = name.endsWith("norm.weight");
            double deviation = norm ? 0.2 : shape.size() == 1 || name.equals(TensorShapes.EMBEDDING) ? 1 : 2 / Math.sqrt(shape.getLast());
            for (long i = 0; i < elements; i++) {
                int bits = Float.floatToRawIntBits((float) ((norm ? 1 : 0) + deviation * random.nextGaussian())) >>> 16;
                data.write(bits);
                data.write(bits >>> 8);
            }
            header.add("\"%s\":{\"dtype\":\"BF16\",\"shape\":%s,\"data_offsets\":[%d,%d]}".formatted(name, shape, from, data.size()));
        });
        byte[] json = header.toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + json.length + data.size()).order(ByteOrder.LITTLE_ENDIAN).putLong(json.length).put(json).put(data.toByteArray())
                .array();
    }
}
