package dev.npuflow.workflow.model;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A prompt as the engines read it and as people do.
///
/// @param ids  at least one
/// @param text `<id> <id> …` where the model has no tokenizer
public record Prompt(List<Integer> ids, String text) {

    public Prompt {
        ids = List.copyOf(ids);
    }

    public int[] idArray() {
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }

    /// A prompt given by ids alone.
    public static Prompt ofIds(int[] ids) {
        List<Integer> list = Arrays.stream(ids).boxed().toList();
        return new Prompt(list, list.stream().map("<%d>"::formatted).collect(Collectors.joining(" ")));
    }
}
