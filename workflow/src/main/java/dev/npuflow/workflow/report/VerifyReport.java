package dev.npuflow.workflow.report;

import dev.npuflow.workflow.file.WholeFile;
import dev.npuflow.workflow.gate.GateResult;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Writes the two files of a verification.
public final class VerifyReport {

    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT);

    private VerifyReport() {}

    /// Where a report lies.
    public record Files(Path json, Path markdown) {}

    /// Into `directory`, as upstream names them: `verify_topk_token_20260801-101500.json` and `.md`. Two reports of one second get different
    /// names; none is ever overwritten. The names are the only place where a wall clock shows.
    ///
    /// @throws dev.npuflow.fault.NpuflowException NPF-510 if they cannot be written
    public static Files write(Path directory, VerifySubject subject, GateResult result, Clock clock) {
        String stamp = "verify_topk_token_" + STAMP.format(LocalDateTime.now(clock));
        Path json = WholeFile.writeNew(directory, stamp, ".json", VerifyJson.render(subject, result));
        String name = json.getFileName().toString().replace(".json", "");
        return new Files(json, WholeFile.writeNew(directory, name, ".md", VerifyMarkdown.render(subject, result)));
    }

    /// `npuflow verify --json`.
    public static ObjectNode command(VerifySubject subject, GateResult result, Files files) {
        ObjectNode json = JsonMapper.builder().build().createObjectNode();
        json.put("verdict", result.verdict().name()).put("reason", result.reason()).put("plan", subject.plan()).put("source", subject.source());
        GateSummary summary = GateSummary.of(result);
        ObjectNode upstream = json.putObject("upstream").put("passed", result.upstreamPassed())
                .put("failed", result.prompts().size() - result.upstreamPassed());
        ObjectNode everyStep = json.putObject("every_step").put("passed", result.everyStepPassed())
                .put("failed", result.prompts().size() - result.everyStepPassed());
        var upstreamPrompts = upstream.putArray("prompts");
        var everyStepPrompts = everyStep.putArray("prompts");
        for (PromptOutcome prompt : summary.prompts()) {
            upstreamPrompts.addObject().put("prompt", prompt.prompt()).put("passed", prompt.upstream()).put("text", prompt.upstreamText());
            everyStepPrompts.addObject().put("prompt", prompt.prompt()).put("passed", prompt.everyStep()).put("text", prompt.everyStepText());
        }
        DistributionJson.decided(json.putObject("distribution"), result.distribution());
        return json.put("report", files.json().toString());
    }
}
