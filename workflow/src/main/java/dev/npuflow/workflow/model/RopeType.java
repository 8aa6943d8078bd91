package dev.npuflow.workflow.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The rope scalings that transformers knows for these families (modeling_rope_utils.py of versions 4.57 and 5).
public enum RopeType {
    DEFAULT("default"), LINEAR("linear"), DYNAMIC("dynamic"), YARN("yarn"), LONGROPE("longrope", "su"), LLAMA3("llama3");

    private final List<String> spellings;

    RopeType(String... spellings) {
        this.spellings = List.of(spellings);
    }

    /// The name that transformers writes.
    public String word() {
        return spellings.getFirst();
    }

    static Optional<RopeType> of(String spelling) {
        return Arrays.stream(values()).filter(type -> type.spellings.contains(spelling)).findFirst();
    }
}
