package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.gate.Expected;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.generation.GateFile;
import dev.npuflow.workflow.generation.TokenTrace;
import dev.npuflow.workflow.measurement.SimTarget.ReferenceTokens;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.reference.ReferenceEngine;
import dev.npuflow.workflow.reference.ReferenceOptions;
import dev.npuflow.workflow.reference.ReferenceTraces;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The reference's tokens for the gate: from a recorded file where one is named, else from the cache or computed.
final class ReferenceSide implements ReferenceTokens {

    private final LanguageModel model;
    private final Path cacheDirectory;
    private final Optional<List<TokenTrace>> recorded;
    private final String recordedIn;
    private final Progress progress;

    /// @param gateFile read at once, so that a bad one is told before anything runs
    ReferenceSide(LanguageModel model, Path cacheDirectory, Optional<Path> gateFile, Progress progress) {
        this.model = model;
        this.cacheDirectory = cacheDirectory;
        this.recorded = gateFile.map(GateFile::read);
        this.recordedIn = gateFile.map(Path::toString).orElse("");
        this.progress = progress;
    }

    static ReferenceEngine engine(LanguageModel model) {
        return new ReferenceEngine(model, ReferenceOptions.defaults(System.err::println));
    }

    @Override public List<Expected> traces(List<Prompt> prompts, GateRules rules) {
        if (recorded.isPresent()) {
            int held = recorded.get().size();
            if (held < prompts.size()) {
                throw NpuflowException.badInput("NPF-810", recordedIn, "%d prompts".formatted(held), "the tokens of %d prompts".formatted(prompts.size()),
                        "recording all prompts that the gate judges");
            }
            return recorded.get().subList(0, prompts.size()).stream().map(Expected::tokens).toList();
        }
        ReferenceTraces traces = new ReferenceTraces(cacheDirectory, ReferenceOptions.defaults(System.err::println), rules.tokens(), rules.k());
        return traces.of(model, prompts.stream().map(Prompt::idArray).toList(), progress.reference());
    }
}
