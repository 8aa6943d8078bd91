package dev.npuflow.workflow.report;

import dev.npuflow.workflow.gate.PromptCheck;
import dev.npuflow.workflow.gate.StepCheck;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/// Tokens as reports show them.
final class TokenText {

    /// Upstream's limit of `prompt_text` (docs/upstream.md, "Verify report").
    private static final int LONGEST_PROMPT = 60;
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final VerifySubject subject;

    TokenText(VerifySubject subject) {
        this.subject = subject;
    }

    /// In quotes, so that leading blanks are seen, and on one line.
    String quoted(List<Integer> ids) {
        return MAPPER.writeValueAsString(ids.isEmpty() ? "" : subject.decoder().apply(ids));
    }

    String quoted(int id) {
        return quoted(List.of(id));
    }

    /// What both sides said before they differed.
    String agreedPrefix(PromptCheck check, StepCheck divergence) {
        return quoted(check.reference().chosen().subList(0, divergence.step()));
    }

    /// At most 60 characters, then an ellipsis.
    String prompt(int index) {
        String text = index < subject.prompts().size() ? subject.prompts().get(index) : "";
        return text.codePointCount(0, text.length()) <= LONGEST_PROMPT ? text
                : text.substring(0, text.offsetByCodePoints(0, LONGEST_PROMPT)) + "…";
    }
}
