package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
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
    private List<String> ids;

    /// What was asked for, else the canonical prompt.
    ///
    /// @throws NpuflowException NPF-807 for both, NPF-808 for text without a tokenizer, NPF-154, NPF-503 and NPF-809 for ids that the
    ///         model cannot read
    Prompt prompt(OpenedDeployment opened) {
        LanguageModel model = opened.model();
        if (text != null && ids != null) {
            throw NpuflowException.badInput("NPF-807", "--prompt and --ids", "one of them", "leaving one out");
        }
        if (ids != null) {
            return Prompt.ofIds(model.config().vocabulary().parse("--ids", ids));
        }
        if (text != null) {
            Tokenizer tokenizer = model.tokenizer().orElseThrow(() -> NpuflowException.badInput("NPF-808",
                    "--prompt for a model without tokenizer.json", model.name(), "a model with a tokenizer", "use --ids"));
            return ModelPrompts.encode(tokenizer, model.config().vocabulary(), "--prompt", text);
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
