package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// How one set of files spells the tensors of a model, decided once for all of them. The names of a model with its head begin with `model.`; those of the
/// base model alone do not, and transformers puts the prefix in front when it loads them (`base_model_prefix` in modeling_utils.py). The head has no prefix.
///
/// | Stored | Read as |
/// |---|---|
/// | `model.layers.0.mlp.up_proj.weight` | itself |
/// | `layers.0.mlp.up_proj.weight` | `model.layers.0.mlp.up_proj.weight` |
/// | both kinds, or another prefix | refused |
///
/// @param prefix what the stored names lack: empty, or `model.`
record TensorNames(String prefix) {

    private static final String BASE = "model.";
    /// Checkpoints in Meta's own names have a tensor of this name too, so it decides nothing.
    private static final String FINAL_NORM = TensorShapes.FINAL_NORM.substring(BASE.length());
    private static final List<String> AROUND_A_TEXT_MODEL = List.of("language_model.", "text_model.", "llm.", "thinker.");
    private static final Map<String, String> WRAPPERS = Map.of(
            "base_model.model.", "merging the adapter into its model and saving that (PEFT's merge_and_unload)",
            "_orig_mod.", "saving the model that torch.compile was given, not the compiled one",
            "module.", "saving the model inside the data-parallel wrapper");

    /// @param stored   names in the files, at least one
    /// @param expected names that the configuration calls for
    /// @param where    the file, for messages
    /// @throws NpuflowException NPF-139 for names with and without the prefix, NPF-140 for names under another prefix, or none that is known
    static TensorNames of(Collection<String> stored, Set<String> expected, String where) {
        TreeSet<String> names = new TreeSet<>(stored);
        Set<String> bare = expected.stream().filter(name -> name.startsWith(BASE)).map(name -> name.substring(BASE.length()))
                .filter(name -> !name.equals(FINAL_NORM)).collect(Collectors.toSet());
        Optional<String> without = names.stream().filter(bare::contains).findFirst();
        Optional<String> with = names.stream().filter(name -> name.startsWith(BASE) && bare.contains(name.substring(BASE.length()))).findFirst();
        if (with.isPresent() && without.isPresent()) {
            throw NpuflowException.badInput("NPF-139", "%s: names with the prefix %s and without".formatted(where, BASE), "%s and %s".formatted(with.get(),
                    without.get()), "one spelling for all tensors", "saving one model into the directory, not two");
        }
        if (with.isEmpty() && without.isEmpty() && !names.isEmpty()) {
            throw foreign(names, bare, where);
        }
        return new TensorNames(without.isPresent() ? BASE : "");
    }

    private static NpuflowException foreign(TreeSet<String> names, Set<String> bare, String where) {
        for (String name : names) {
            Optional<String> prefix = prefix(name, bare);
            if (prefix.isPresent()) {
                return NpuflowException.badInput("NPF-140", "%s: tensor names begin with %s".formatted(where, prefix.get()), shown(name),
                        "%slayers.0 and so on, with %s or without".formatted(BASE, BASE), remedy(prefix.get()));
            }
        }
        return NpuflowException.badInput("NPF-140", "%s: no tensor has a name that config.json calls for".formatted(where), "the first is %s".formatted(shown(names.getFirst())),
                "names such as %s".formatted(BASE + bare.stream().sorted().filter(name -> name.startsWith("layers.0."))
                        .findFirst().orElseThrow()),
                "weights in Hugging Face's names for the architecture in config.json");
    }

    private static Optional<String> prefix(String name, Set<String> bare) {
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            if (bare.contains(name.substring(dot + 1))) {
                return Optional.of(name.substring(0, dot + 1));
            }
        }
        return Optional.empty();
    }

    private static String remedy(String prefix) {
        if (AROUND_A_TEXT_MODEL.stream().anyMatch(prefix::contains)) {
            return "a text-only checkpoint: these weights belong to a model that also reads images or sound";
        }
        return WRAPPERS.entrySet().stream().filter(wrapper -> prefix.startsWith(wrapper.getKey())).map(Map.Entry::getValue).findFirst()
                .orElse("saving the model inside %s alone".formatted(prefix));
    }

    /// The Hugging Face name of a stored one.
    String named(String stored) {
        return stored.startsWith("lm_head.") ? stored : prefix + stored;
    }

    /// As the files spell a name.
    String stored(String name) {
        return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
    }

    private static String shown(String name) {
        return name.length() > 120 ? name.substring(0, 120) + "..." : name;
    }
}
