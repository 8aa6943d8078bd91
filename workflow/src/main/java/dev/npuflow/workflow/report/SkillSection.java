package dev.npuflow.workflow.report;

import java.util.List;

/// A section of the phase document about one change, in the shape of docs/upstream.md, "Phase documents".
///
/// @param title   without the leading `##`
/// @param bullets one line each
public record SkillSection(String title, List<String> bullets) {

    public SkillSection {
        bullets = List.copyOf(bullets);
    }
}
