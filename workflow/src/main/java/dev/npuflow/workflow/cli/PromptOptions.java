package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.model.Tokenizer;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/// A prompt as text or as ids.
final class PromptOptions {

    @Option(names = "--prompt", paramLabel = "TEXT", parameterConsumer = AnyText.class,
            description = "text to go on from; with what the tokenizer's post-processor adds")
    private String text;

    @Option(names = "--ids", paramLabel = "1,2,3", split = ",", description = "token ids to go on from, as they are")
    private List<Integer> ids;

    /// What was asked for, else the canonical prompt.
    ///
    /// @throws NpuflowException NPF-807 for both, NPF-808 for text without a tokenizer, NPF-809 for an id outside the vocabulary
    Prompt prompt(OpenedDeployment opened) {
        LanguageModel model = opened.model();
        if (text != null && ids != null) {
            throw NpuflowException.badInput("NPF-807", "--prompt and --ids", "one of them", "leaving one out");
        }
        if (ids != null) {
            int vocabulary = model.config().vocabSize();
            ids.stream().filter(id -> id < 0 || id >= vocabulary).findFirst().ifPresent(id -> {
                throw NpuflowException.badInput("NPF-809", "--ids (%d)".formatted(id), "ids from 0 to %d".formatted(vocabulary - 1), "npuflow tokenize");
            });
            return Prompt.ofIds(ids.stream().mapToInt(Integer::intValue).toArray());
        }
        if (text != null) {
            Tokenizer tokenizer = model.tokenizer().orElseThrow(() -> NpuflowException.badInput("NPF-808",
                    "--prompt (%s has no tokenizer.json)".formatted(model.name()), "a model with a tokenizer", "use --ids"));
            return ModelPrompts.encode(tokenizer, text);
        }
        return opened.prompts().canonical();
    }

    boolean given() {
        return text != null || ids != null;
    }

    static String text(LanguageModel model, List<Integer> ids) {
        int[] array = ids.stream().mapToInt(Integer::intValue).toArray();
        Optional<Tokenizer> tokenizer = model.tokenizer();
        return tokenizer.map(known -> known.decode(array)).orElseGet(() -> Prompt.ofIds(array).text());
    }
}
