package dev.npuflow.workflow.model;

import java.util.List;
import java.util.Optional;

/// The class that a configuration means. Two fields say it, `model_type` and `architectures`; transformers goes by `model_type`, and so does npuflow.
///
/// @param name     a class name
/// @param refusal  why it cannot be run as that class although the class is in scope
/// @param warnings where the two fields, or two entries of one, do not say the same
record StatedClass(String name, Optional<String> refusal, List<String> warnings) {

    StatedClass {
        warnings = List.copyOf(warnings);
    }

    /// @throws dev.npuflow.fault.NpuflowException NPF-104 where neither field is there
    static StatedClass of(JsonFields config) {
        List<String> names = config.texts("architectures");
        Optional<String> type = config.text("model_type");
        if (type.isEmpty()) {
            String first = names.stream().findFirst().orElseThrow(() -> config.missing("architectures"));
            return new StatedClass(first, Optional.empty(), others(names, first));
        }
        Optional<Architecture> family = Architecture.ofModelType(type.get());
        Optional<Architecture> named = names.stream().flatMap(name -> Architecture.of(name).stream()).findFirst();
        if (family.isEmpty()) {
            Optional<String> refusal = named.map(known -> "model_type %s, which is no %s".formatted(type.get(), known.className()));
            return new StatedClass(names.stream().findFirst().orElse(type.get()), refusal, List.of());
        }
        String own = family.get().className();
        if (names.isEmpty() || names.contains(own)) {
            return new StatedClass(own, Optional.empty(), others(names, own));
        }
        if (named.isEmpty()) {
            return new StatedClass(names.getFirst(), Optional.empty(), List.of());
        }
        return new StatedClass(own, Optional.empty(), List.of("architectures says %s, model_type says %s: the model is taken for a %s, as transformers goes by model_type"
                .formatted(String.join(", ", names), type.get(), own)));
    }

    private static List<String> others(List<String> names, String taken) {
        return names.stream().distinct().filter(name -> !name.equals(taken))
                .map(name -> "architectures names %s too: the model is taken for a %s".formatted(name, taken)).toList();
    }
}
