package dev.npuflow.workflow.report;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/// What a verification was about, as its report says it.
///
/// @param runner      who made the NPU's tokens; upstream names its adapter here
/// @param model       name of the model
/// @param modelName   where its weights come from
/// @param npuAttention whether prefill attention runs on the NPU
/// @param promptsFile the file the prompts were read from
/// @param maxPrompts  empty for all
/// @param prompts     texts, in order; of a model without tokenizer its ids
/// @param plan        hash
/// @param source      the one line that says where the figures come from
/// @param decoder     token ids to text
public record VerifySubject(String runner, String model, String modelName, boolean npuAttention, Optional<String> promptsFile,
        OptionalInt maxPrompts, List<String> prompts, String plan, String source, Function<List<Integer>, String> decoder) {

    public VerifySubject {
        prompts = List.copyOf(prompts);
    }

    /// Of a model without tokenizer: `<12><7>`.
    public static String idsAsText(List<Integer> ids) {
        StringBuilder text = new StringBuilder();
        ids.forEach(id -> text.append('<').append(id).append('>'));
        return text.toString();
    }
}
