package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.generation.GateFile;
import dev.npuflow.workflow.generation.TokenTrace;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.reference.ReferenceEngine;
import dev.npuflow.workflow.reference.ReferenceOptions;
import dev.npuflow.workflow.reference.ReferenceTrace;
import dev.npuflow.workflow.reference.ReferenceTraces;
import dev.npuflow.workflow.target.SimTarget.ReferenceTokens;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The reference's tokens for the gate: from a recorded file where one is named, else from the cache or computed.
final class ReferenceSide implements ReferenceTokens {

    private final LanguageModel model;
    private final Path cacheDirectory;
    private final Optional<Path> gateFile;
    private final Progress progress;

    ReferenceSide(LanguageModel model, Path cacheDirectory, Optional<Path> gateFile, Progress progress) {
        this.model = model;
        this.cacheDirectory = cacheDirectory;
        this.gateFile = gateFile;
        this.progress = progress;
    }

    static ReferenceEngine engine(LanguageModel model) {
        return new ReferenceEngine(model, ReferenceOptions.defaults(System.err::println));
    }

    @Override public List<TokenTrace> traces(List<Prompt> prompts, GateRules rules) {
        if (gateFile.isPresent()) {
            List<TokenTrace> recorded = GateFile.read(gateFile.get());
            if (recorded.size() < prompts.size()) {
                throw NpuflowException.badInput("NPF-810", "%s (%d prompts)".formatted(gateFile.get().getFileName(), recorded.size()),
                        "the tokens of %d prompts".formatted(prompts.size()), "recording all prompts that the gate judges");
            }
            return recorded.subList(0, prompts.size());
        }
        ReferenceTraces traces = new ReferenceTraces(cacheDirectory, ReferenceOptions.defaults(System.err::println), rules.tokens(), rules.k());
        return traces.of(model, prompts.stream().map(Prompt::idArray).toList(), i -> progress.step("reference: prompt %d".formatted(i))).stream()
                .map(ReferenceTrace::tokens).toList();
    }
}
