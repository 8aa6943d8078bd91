package dev.npuflow.workflow.control;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.Tensor;
import dev.npuflow.workflow.model.Tokenizer;
import dev.npuflow.workflow.model.WeightOrigin;
import dev.npuflow.workflow.model.Weights;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// A copy of a model that differs in some weights or fields. Only the weights that differ are copied; closing it frees them and leaves the model open.
final class ChangedModel implements LanguageModel, Weights {

    private final LanguageModel original;
    private final String change;
    private final ModelConfig config;
    private final Function<String, Optional<Matrix.Change>> changes;
    private final Function<String, String> sources;
    private final Map<String, Tensor> copies = new ConcurrentHashMap<>();
    private final Arena arena = Arena.ofShared();

    /// @param change  says what differs; part of the fingerprint
    /// @param changes what is done to a tensor of a name; empty for one that stays
    /// @param sources the tensor of the original that a name gives
    ChangedModel(LanguageModel original, String change, ModelConfig config, Function<String, Optional<Matrix.Change>> changes,
            Function<String, String> sources) {
        this.original = original;
        this.change = change;
        this.config = config;
        this.changes = changes;
        this.sources = sources;
    }

    /// A tied head is the embedding, changes included.
    @Override public Tensor tensor(String name) {
        String held = config.tiedHead() && name.equals(ModelEnds.HEAD.tensor()) ? ModelEnds.EMBEDDING.tensor() : name;
        Tensor source = original.weights().tensor(sources.apply(held));
        Optional<Matrix.Change> wrong = changes.apply(held);
        return wrong.isEmpty() ? source : copies.computeIfAbsent(held, _ -> {
            Matrix copy = Matrix.copyOf(source, arena);
            wrong.get().apply(copy);
            return copy.tensor();
        });
    }

    @Override public void requireFinite() {
        original.weights().requireFinite();
    }

    @Override public String name() {
        return original.name();
    }

    @Override public Path directory() {
        return original.directory();
    }

    @Override public ModelConfig config() {
        return config;
    }

    @Override public Weights weights() {
        return this;
    }

    @Override public Optional<Tokenizer> tokenizer() {
        return original.tokenizer();
    }

    @Override public WeightOrigin weightOrigin() {
        return original.weightOrigin();
    }

    @Override public String fingerprint() {
        return CanonicalJson.hash(List.of(original.fingerprint(), change));
    }

    @Override public void close() {
        arena.close();
    }
}
