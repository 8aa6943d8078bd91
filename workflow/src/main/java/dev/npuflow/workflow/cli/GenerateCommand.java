package dev.npuflow.workflow.cli;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.generation.Generation;
import dev.npuflow.workflow.generation.GenerationLimits;
import dev.npuflow.workflow.generation.GreedyDecoder;
import dev.npuflow.workflow.generation.TokenEngine;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.model.WeightOrigin;
import dev.npuflow.workflow.text.ShortHash;
import dev.npuflow.workflow.text.TextOutput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `npuflow generate DIR`.
@Command(name = "generate", mixinStandardHelpOptions = true,
        description = "Goes on from a prompt, greedily, on the reference or on the simulated NPU. No chat template is applied.")
final class GenerateCommand implements Callable<Integer> {

    /// Which engine makes the logits.
    enum Engine {
        REFERENCE, NPU;

        /// As help and messages write it.
        @Override public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec private CommandSpec spec;
    @Mixin private DeploymentOptions options;
    @Mixin private PromptOptions promptOptions;

    @Option(names = "-n", paramLabel = "N", defaultValue = "" + GateRules.TOKENS, description = "tokens to make at most (default: ${DEFAULT-VALUE})")
    private int tokens;

    @Option(names = "--engine", paramLabel = "reference|npu", defaultValue = "npu", description = "default: ${DEFAULT-VALUE}")
    private Engine engine;

    @Option(names = "--plan", defaultValue = "kept", description = "of the npu: kept, baseline, or 8 digits or more of a plan's hash (default: ${DEFAULT-VALUE})")
    private String plan;

    @Option(names = "--logits", description = "with --json: all logits of every step")
    private boolean logits;

    @Option(names = "--ignore-eos", description = "go on after an end-of-sequence token")
    private boolean ignoreEos;

    @Mixin private Output output;

    @Override public Integer call() {
        try (Progress progress = options.progress(spec.commandLine().getErr(), 2);
                OpenedDeployment opened = OpenedDeployment.open(options, progress)) {
            LanguageModel model = opened.model();
            Prompt prompt = promptOptions.prompt(opened);
            opened.room(prompt).requireTokens("-n", tokens);
            Map<String, Object> root = new LinkedHashMap<>();
            root.put("model", model.name());
            root.put("engine", engine.toString());
            Generation generation;
            int kept = Math.min(5, model.config().vocabSize());
            GenerationLimits limits = new GenerationLimits(tokens, ignoreEos ? List.of() : model.config().eosTokenIds(), kept, logits);
            AtomicInteger made = new AtomicInteger();
            progress.next("generating");
            try (TokenEngine running = start(opened, root)) {
                progress.prompt(1, 1, tokens);
                generation = GreedyDecoder.generate(running, prompt.idArray(), limits, _ -> progress.token(made.incrementAndGet() + 1));
            }
            progress.clear();
            root.put("prompt_ids", prompt.ids());
            root.put("ids", generation.ids());
            root.put("text", PromptOptions.text(model, generation.ids()));
            root.put("top5", generation.topK());
            if (logits) {
                root.put("logits", generation.logits());
            }
            output.show(text -> print(text, opened, prompt, root), () -> root);
            return 0;
        }
    }

    private TokenEngine start(OpenedDeployment opened, Map<String, Object> root) {
        return switch (engine) {
            case REFERENCE -> {
                root.put("source", "reference: Hugging Face's bf16 semantics on the CPU" + synthetic(opened));
                yield ReferenceSide.engine(opened.model());
            }
            case NPU -> {
                Deployment deployment = opened.plan(plan);
                root.put("source", opened.target().source());
                root.put("plan", deployment.hash());
                DeploymentRun run = opened.target().open(deployment, RunObserver.NONE);
                run.preload();
                yield run;
            }
        };
    }

    private static String synthetic(OpenedDeployment opened) {
        return opened.model().weightOrigin() == WeightOrigin.SYNTHETIC ? "; synthetic weights" : "";
    }

    /// The text itself is the model's: its lines are as long as the model made them.
    private static void print(TextOutput text, OpenedDeployment opened, Prompt prompt, Map<String, Object> root) {
        text.line(String.valueOf(root.get("source")));
        if (root.get("plan") instanceof String plan) {
            text.line("plan " + ShortHash.of(plan));
        }
        text.line("Generated text:");
        text.layout(prompt.text() + (opened.model().tokenizer().isPresent() ? "" : " ") + root.get("text"));
    }
}
