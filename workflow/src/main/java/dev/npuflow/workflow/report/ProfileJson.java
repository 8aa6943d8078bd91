package dev.npuflow.workflow.report;

import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `npuflow profile --json`. Times in milliseconds unless the key says `_s`; counts and times of `calls` and `host_ops` are those of the whole
/// phase, so that they add up to it.
public final class ProfileJson {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private ProfileJson() {}

    public static ObjectNode of(ProfileSummary profile) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("model", profile.model()).put("device", profile.device()).put("plan", profile.planHash()).put("source", profile.source());
        json.put("ms_per_token", orNull(profile.millisecondsPerToken())).put("tokens_per_s", orNull(profile.tokensPerSecond()));
        json.put("ttft_s", profile.secondsToFirstToken()).put("prepare_s", new Picoseconds(profile.prepare()).seconds());
        json.put("preloaded_bytes", profile.preloadedBytes());
        json.put("layers", profile.layers()).put("prompt_tokens", profile.promptTokens()).put("padded_prompt_tokens", profile.paddedPrompt());
        json.put("decoded_tokens", profile.decodeTokens());
        json.put("xrt_calls_per_token", orNull(profile.callsPerToken()));
        ArrayNode calls = json.putArray("calls");
        ArrayNode hostOps = json.putArray("host_ops");
        for (Phase phase : Phase.values()) {
            for (StepTotals step : profile.phase(phase)) {
                add(step.kind() == Kind.NPU ? calls : hostOps, phase, step);
            }
        }
        ArrayNode ids = json.putArray("ids");
        profile.generated().forEach(ids::add);
        return json;
    }

    private static @Nullable Double orNull(OptionalDouble figure) {
        return figure.isPresent() ? figure.getAsDouble() : null;
    }

    private static void add(ArrayNode array, Phase phase, StepTotals step) {
        ObjectNode json = array.addObject();
        json.put("name", step.name()).put("phase", lower(phase)).put("section", lower(step.section())).put("count", step.count());
        json.put("total_ms", milliseconds(step.total())).put("mean_ms", milliseconds(step.total()) / step.count());
        if (step.kind() == Kind.NPU) {
            json.put("write_ms", milliseconds(step.write())).put("run_ms", milliseconds(step.run())).put("read_ms", milliseconds(step.read()));
            json.put("bytes_written", step.bytesWritten());
            json.put("buffers_written", step.buffersWritten()).put("buffers_read", step.buffersRead());
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static double milliseconds(long picoseconds) {
        return new Picoseconds(picoseconds).milliseconds();
    }
}
