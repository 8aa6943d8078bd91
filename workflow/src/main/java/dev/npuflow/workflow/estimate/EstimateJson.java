package dev.npuflow.workflow.estimate;

import dev.npuflow.npu.clock.ElfTiming.LaunchTiming;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lowering.StepCost;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// An estimate for programs; fields as `docs/commands.md` lists them.
public final class EstimateJson {

    private EstimateJson() {}

    public static Map<String, Object> of(Estimate estimate) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("ms_per_token", estimate.millisecondsPerToken());
        root.put("tokens_per_s", estimate.tokensPerSecond());
        root.put("ttft_s", estimate.secondsToFirstToken());
        TextLength text = estimate.text();
        Map<String, Object> context = new LinkedHashMap<>();
        context.put("prompt_tokens", text.promptTokens());
        context.put("decoded_tokens", text.decodedTokens());
        context.put("first_positions", text.positionsAfter(0));
        context.put("last_positions", text.positionsAfter(text.decodedTokens() - 1));
        context.put("padded_prompt_tokens", estimate.deployment().model().paddedPrefill());
        root.put("context", context);
        Map<String, Object> calls = new LinkedHashMap<>();
        calls.put("prefill", estimate.callsPerLayer(Phase.PREFILL));
        calls.put("decode", estimate.callsPerLayer(Phase.DECODE));
        root.put("calls_per_layer", calls);
        root.put("xrt_calls_per_token", estimate.deployment().decode().callsPerPass(estimate.deployment().model().layers()));
        root.put("calls", steps(estimate, Kind.NPU));
        root.put("host_ops", steps(estimate, Kind.HOST));
        root.put("bound", estimate.bounds(Phase.DECODE).firstEntry().getKey());
        root.put("bound_ms", estimate.bounds(Phase.DECODE));
        return root;
    }

    private static List<Map<String, Object>> steps(Estimate estimate, Kind kind) {
        List<Map<String, Object>> steps = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            for (StepCost step : estimate.phase(phase)) {
                if (step.kind() == kind) {
                    steps.add(step(phase, step));
                }
            }
        }
        return steps;
    }

    private static Map<String, Object> step(Phase phase, StepCost step) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", step.name());
        fields.put("phase", phase.name().toLowerCase(Locale.ROOT));
        fields.put("section", step.section().name().toLowerCase(Locale.ROOT));
        fields.put("count", step.repeats());
        fields.put("total_ms", step.total().milliseconds());
        fields.put("mean_ms", step.once().milliseconds());
        if (step.kind() == Kind.NPU) {
            fields.put("write_ms", step.write().milliseconds());
            fields.put("run_ms", step.run().milliseconds());
            fields.put("read_ms", step.read().milliseconds());
            fields.put("dispatch_ms", step.dispatch().milliseconds());
            fields.put("bytes_written", step.bytesWritten());
            fields.put("bound", step.boundBy());
            fields.put("launches", step.launches().stream().map(EstimateJson::launch).toList());
        }
        return fields;
    }

    private static Map<String, Object> launch(LaunchTiming launch) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", launch.launch());
        fields.put("ms", launch.time().milliseconds());
        fields.put("bound", launch.boundBy());
        return fields;
    }
}
