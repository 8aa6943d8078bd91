package dev.npuflow.workflow.fuzz;

import dev.npuflow.workflow.model.Cases;
import dev.npuflow.workflow.model.CheckedModel;
import dev.npuflow.workflow.model.ConfigReader;
import dev.npuflow.workflow.model.JsonTokenizer;
import dev.npuflow.workflow.model.ModelInspection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The files of a model's directory: one of them damaged, the others good.
final class ModelSubjects {

    private static final Mutator JSON = (input, random, said) -> switch (random.nextInt(12)) {
        case 0, 1 -> ByteMutator.EVERYWHERE.change(input, random, said);
        case 2 -> TextMutator.encoded(input, random, said);
        default -> new JsonMutator().change(input, random, said);
    };

    private static final String ROPE = """
            {"architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4,
             "num_key_value_heads": 2, "vocab_size": 256, "max_position_embeddings": 512, "rms_norm_eps": 1e-06, "hidden_act": "silu", "use_sliding_window": false, "max_window_layers": 2,
             "sliding_window": 4096, "layer_types": ["full_attention", "full_attention"], "attention_bias": false, "mlp_bias": false, "torch_dtype": "bfloat16", "dtype": "bfloat16",
             "tie_word_embeddings": true, "bos_token_id": null, "eos_token_id": [1, 2], "partial_rotary_factor": 1.0, "is_encoder_decoder": false,
             "rope_scaling": {"rope_type": "%s", "rope_theta": 10000.0, "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 128,
              "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0, "truncate": true, "attention_factor": 1.0, "short_factor": [1, 1, 1, 1, 1, 1, 1, 1],
              "long_factor": [1, 2, 3, 4, 5, 6, 7, 8]}}""";

    private final Path place;

    /// @param place a directory of its own for each subject
    ModelSubjects(Path place) {
        this.place = place;
    }

    List<Subject> all() throws IOException {
        return List.of(config(), configWithWeights(), generation(), tokenizer(), tokenizerSiblings(), safetensors(), index(), yaml(), prompts(), ids());
    }

    private Subject config() throws IOException {
        Path model = model("config");
        List<byte[]> seeds = Stream.concat(Stream.of(Files.readAllBytes(model.resolve("config.json"))), Stream.of("llama3", "yarn", "dynamic", "linear", "longrope", "default").map(type -> utf8(ROPE.formatted(type)))).toList();
        return new Subject("config", 5000, seeds, JSON, input -> {
            Files.write(model.resolve("config.json"), input);
            ConfigReader.read(model);
        });
    }

    /// The same beside weights, which it has to fit.
    private Subject configWithWeights() throws IOException {
        Path model = model("config-weights");
        return new Subject("config-weights", 500, List.of(Files.readAllBytes(model.resolve("config.json"))), JSON, input -> {
            Files.write(model.resolve("config.json"), input);
            ModelInspection.of(model);
        });
    }

    private Subject generation() throws IOException {
        Path model = model("generation");
        byte[] seed = utf8("{\"bos_token_id\": 3, \"eos_token_id\": [1, 2], \"do_sample\": false, \"transformers_version\": \"4.57.0\"}");
        return new Subject("generation", 1000, List.of(seed), JSON, input -> {
            Files.write(model.resolve("generation_config.json"), input);
            ConfigReader.read(model);
        });
    }

    private Subject tokenizer() throws IOException {
        Path model = model("tokenizer");
        return new Subject("tokenizer", 2000, List.of(Files.readAllBytes(model.resolve("tokenizer.json"))), JSON, input -> {
            Files.write(model.resolve("tokenizer.json"), input);
            encode(model);
        });
    }

    private Subject tokenizerSiblings() throws IOException {
        Path model = model("tokenizer-siblings");
        List<byte[]> seeds = List.of(utf8("""
                {"tokenizer_config": {"added_tokens_decoder": {"32": {"content": "<a>", "special": true, "lstrip": false, "rstrip": false, "normalized": false, "single_word": false}},
                 "bos_token": "<a>", "eos_token": {"content": "<b>"}, "additional_special_tokens": ["<c>", {"content": "<d>"}], "add_bos_token": true, "model_max_length": 512}}"""), utf8("""
                {"tokenizer_config": {"bos_token": null}, "added_tokens": {"<a>": 32, "<b>": 33}, "special_tokens_map": {"eos_token": "<b>", "pad_token": {"content": "<a>"}}}"""));
        return new Subject("tokenizer-siblings", 1500, seeds, JSON, input -> {
            // One input holds the three files, as far as it can be taken apart.
            String text = new String(input, StandardCharsets.UTF_8);
            for (String name : List.of("tokenizer_config", "added_tokens", "special_tokens_map")) {
                int at = text.indexOf("\"" + name + "\":");
                int next = Stream.of("\"added_tokens\":", "\"special_tokens_map\":").mapToInt(text::indexOf).filter(other -> other > at).min().orElse(text.length());
                Path file = model.resolve(name + ".json");
                if (at < 0) {
                    Files.deleteIfExists(file);
                } else {
                    String part = text.substring(at + name.length() + 3, next).strip();
                    Files.write(file, utf8(part.substring(0, Math.max(0, part.length() - 1))));
                }
            }
            encode(model);
        });
    }

    private static void encode(Path model) {
        try (JsonTokenizer tokenizer = JsonTokenizer.open(model.resolve("tokenizer.json"))) {
            tokenizer.decode(tokenizer.encode("the river <a> \u202e", true));
        }
    }

    private Subject safetensors() throws IOException {
        Path model = model("safetensors");
        byte[] seed = Files.readAllBytes(model.resolve("model.safetensors"));
        Mutator mutator = (input, random, said) -> random.nextInt(3) == 0 ? new ByteMutator(1400).change(input, random, said) : new SafetensorsMutator().change(input, random, said);
        return new Subject("safetensors", 2500, List.of(seed), mutator, input -> {
            Files.write(model.resolve("model.safetensors"), input);
            ModelInspection.of(model);
        });
    }

    private Subject index() throws IOException {
        Path model = model("index");
        Files.move(model.resolve("model.safetensors"), model.resolve("model-00001-of-00001.safetensors"));
        StringBuilder map = new StringBuilder();
        Shards.names(model.resolve("model-00001-of-00001.safetensors")).forEach(name -> map.append("%s\"%s\": \"model-00001-of-00001.safetensors\"".formatted(map.isEmpty() ? "" : ", ", name)));
        byte[] seed = utf8("{\"metadata\": {\"total_size\": 58000}, \"weight_map\": {%s}}".formatted(map));
        return new Subject("index", 1000, List.of(seed), JSON, input -> {
            Files.write(model.resolve("model.safetensors.index.json"), input);
            ModelInspection.of(model);
        });
    }

    private Subject yaml() throws IOException {
        Path model = model("yaml");
        Files.writeString(model.resolve("other.txt"), "a river\n");
        byte[] seed = utf8("# a model\nname: small\ncanonical_prompt: the river\nprompts: other.txt\nphase_prompts: 1\nnotes: some words\n");
        byte[] ids = utf8("name: \"small\"\ncanonical_prompt_ids: [1, 2, 3]\nphase_prompts: 2\n");
        return new Subject("model-yaml", 1500, List.of(seed, ids), text(": ,"), input -> {
            Files.write(model.resolve("model.yaml"), input);
            prompts(model);
        });
    }

    private Subject prompts() throws IOException {
        Path model = model("prompts");
        byte[] seed = utf8("# prompts\nthe river begins\n\n  a fox\nIn the year\n");
        return new Subject("prompts", 500, List.of(seed), text(" #"), input -> {
            Files.write(model.resolve("prompts.txt"), input);
            prompts(model);
        });
    }

    private Subject ids() throws IOException {
        Path model = model("ids");
        Files.delete(model.resolve("tokenizer.json"));
        return new Subject("ids", 700, List.of(utf8("[[1, 2, 3], [4, 5], [6]]")), JSON, input -> {
            Files.write(model.resolve("prompts.ids.json"), input);
            prompts(model);
        });
    }

    private static void prompts(Path model) {
        try (CheckedModel checked = CheckedModel.of(model)) {
            checked.prompts();
        }
    }

    private Path model(String name) throws IOException {
        Path model = Files.createDirectories(place.resolve(name));
        try (Stream<Path> files = Files.list(Cases.folder("a16/list_in_generation_config"))) {
            for (Path file : files.toList()) {
                Files.copy(file, model.resolve(file.getFileName()));
            }
        }
        return model;
    }

    static Mutator text(String separators) {
        return (input, random, said) -> switch (random.nextInt(10)) {
            case 0, 1 -> ByteMutator.EVERYWHERE.change(input, random, said);
            case 2 -> TextMutator.encoded(input, random, said);
            default -> new TextMutator(separators).change(input, random, said);
        };
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Mutator json() {
        return JSON;
    }
}
