package dev.npuflow.workflow.ablation;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.workflow.report.MarkdownText;
import dev.npuflow.workflow.text.TextTable;
import dev.npuflow.workflow.text.TextTable.Column;
import java.util.List;

/// An ablation as a section of `phase5_decode.md` and on the terminal.
public final class AblationText {

    private static final int SHORT_HASH = 12;

    private AblationText() {}

    public static String markdown(Ablation ablation) {
        StringBuilder text = new StringBuilder("## Ablation\n\nEach kept skill alone, all but one, and all, on the same baseline.\n\n");
        text.append("| Skills | ms/token | Speed-up | Verdict | Plan |\n|---|--:|--:|---|---|\n");
        for (AblationRow row : ablation.rows()) {
            text.append(format(ROOT, "| %s | %s | %s | %s | %s |\n", MarkdownText.cell(row.label()), milliseconds(row), speedUp(ablation, row), row.verdict(),
                    row.plan().map(hash -> "`" + hash.substring(0, SHORT_HASH) + "`").orElse(MarkdownText.cell(row.reason()))));
        }
        List<Ablation.Interaction> interactions = ablation.interactions();
        if (ablation.skills().size() > 1 && !interactions.isEmpty()) {
            text.append("\n| Skill | Saves alone, ms | Saves on top of the others, ms | Interaction, ms |\n|---|--:|--:|--:|\n");
            interactions.forEach(found -> text
                    .append(format(ROOT, "| %s | %.4f | %.4f | %+.4f |\n", MarkdownText.cell(found.skill()), found.alone(), found.onTop(),
                    found.interaction())));
        }
        return text.toString();
    }

    public static TextTable table(Ablation ablation) {
        TextTable table = new TextTable(2, Column.right("ms/token"), Column.right("speed-up"), Column.left("verdict"), Column.left("skills"));
        ablation.rows().forEach(row -> table.row(milliseconds(row), speedUp(ablation, row), row.verdict(),
                row.label() + (row.plan().isEmpty() ? ": " + row.reason() : "")));
        return table;
    }

    private static String milliseconds(AblationRow row) {
        return row.milliseconds().isPresent() ? format(ROOT, "%.4f", row.milliseconds().getAsDouble()) : "—";
    }

    private static String speedUp(Ablation ablation, AblationRow row) {
        return ablation.speedUp(row).isPresent() ? format(ROOT, "%.2f×", ablation.speedUp(row).getAsDouble()) : "—";
    }
}
