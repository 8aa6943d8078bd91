package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.fault.OneLine;
import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import dev.npuflow.workflow.lowering.StepTime.Section;
import dev.npuflow.workflow.measurement.Profile;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What `make profile` prints, in upstream's layout (docs/upstream.md, "Profile output"), so that programs which read upstream's output read ours. Every
/// block begins with a line that says where its figures come from.
///
/// Different from upstream, because a simulator has no such time: no `tokenize`, no `eos_pad`; "python/numpy scheduling" is 0.
public final class ProfileText {

    static final String LINE = "=".repeat(60);

    private ProfileText() {}

    public static String render(Profile profile) {
        StringBuilder text = new StringBuilder();
        preparation(text, profile);
        summary(text, profile);
        DataflowBlock.append(text, profile);
        DetailTables.append(text, profile.source(), "PREFILL — detail tables", prefillTable(profile));
        if (profile.decodeTokens() > 0) {
            DetailTables.append(text, profile.source(), format(ROOT, "DECODE (%d tokens) — detail tables", profile.decodeTokens()),
                    decodeTable(profile));
        }
        return text.toString();
    }

    static String sourceLine(String source) {
        return "Figures: " + OneLine.of(source) + "\n";
    }

    static void heading(StringBuilder text, String title) {
        text.append(LINE).append('\n').append(title).append('\n').append(LINE).append('\n');
    }

    private static void preparation(StringBuilder text, Profile profile) {
        text.append(sourceLine(profile.source())).append("Plan: ").append(profile.planHash()).append('\n');
        heading(text, "Preparing runtime (one-time init, outside profiling scope)...");
        text.append(format(ROOT, "  Pre-loaded %d decode layers + LM Head (%sMB)\n", profile.layers(),
                Figures.megabytes(1, profile.preloadedBytes())));
        text.append(format(ROOT, "  Runtime prepared in %ss\n\n", Figures.seconds(profile.prepare())));
    }

    private static void summary(StringBuilder text, Profile profile) {
        text.append(sourceLine(profile.source()));
        heading(text, format(ROOT, "%s Inference: prompt_len=%d, n_tokens=%d", profile.model().strip().replaceAll("\\s+", "_"),
                profile.paddedPrompt(), profile.decodeTokens()));
        text.append(format(ROOT, "\nTime to first token (TTFT): %ss (NPU prefill of %d real positions + LM head).%s\n",
                Figures.seconds(profile.prefillTime().value()), profile.promptTokens(),
                profile.generated().stream().findFirst().map(id -> " First token: " + id).orElse("")));
        int tokens = profile.decodeTokens();
        if (tokens > 0) {
            text.append(format(ROOT, "\nDecoding %d tokens (token 1 to %d)...\n\n", tokens, tokens));
            text.append(format(ROOT, "Generated %d tokens in %ss\n", tokens, Figures.seconds(profile.decodeTime().value())));
            text.append(format(ROOT, "Tokens/second: %.2f\n", profile.tokensPerSecond().orElseThrow()));
            text.append(format(ROOT, "Time/token: %dms\n", Math.round(profile.millisecondsPerToken().orElseThrow())));
        } else {
            text.append("\nNo token was decoded after the first: there is no time per token.\n");
        }
        text.append('\n');
    }

    /// Upstream records the LM-head call that ends the prefill with the decode's, whose ELF it is: count = tokens + 1.
    private static List<StepTime> prefillTable(Profile profile) {
        return profile.prefill().stream().filter(step -> !recordedWithDecode(profile, step)).toList();
    }

    private static List<StepTime> decodeTable(Profile profile) {
        return Stream.concat(profile.prefill().stream().filter(step -> recordedWithDecode(profile, step)), profile.decode().stream()).toList();
    }

    private static boolean recordedWithDecode(Profile profile, StepTime step) {
        return step.kind() == Kind.NPU && step.section() == Section.EPILOGUE && decodeCalls(profile).contains(step.name());
    }

    private static Set<String> decodeCalls(Profile profile) {
        return profile.decode().stream().filter(step -> step.kind() == Kind.NPU).map(StepTime::name).collect(Collectors.toUnmodifiableSet());
    }
}
