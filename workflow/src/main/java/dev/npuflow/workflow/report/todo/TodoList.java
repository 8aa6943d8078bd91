package dev.npuflow.workflow.report.todo;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.SmallText;
import dev.npuflow.workflow.file.WholeFile;
import dev.npuflow.workflow.report.Templates;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A model's `TODO.md`. npuflow ticks or clears the phases' boxes, keeps one line of its own under each that it knows of, one for each phase that is
/// blocked, and the values of the resolved configuration; a block that is missing is added. Every other line stays byte for byte:
///
///     - [x] Phase 5: Decode Opt (Ann looks at it)      ← the box is npuflow's, the rest hers
///       - npuflow: 12.3456 → 4.5678 ms/token (2.70×), PASS
public final class TodoList {

    static final String STATUS = "## Phase status";
    static final String BLOCKERS = "## Active blockers";
    static final String CONFIG = "## Resolved config";
    /// How a line of npuflow's own begins, after its indentation.
    static final String OWN = "- npuflow: ";

    private static final int PHASES = 8;
    private static final Pattern BOX = Pattern.compile("^(\\s*[-*] \\[)[ xX](\\] Phase (\\d+)\\b.*)$");
    private static final Pattern HEADING = Pattern.compile("^#{1,6}\\s.*");

    private final TextLines lines;

    private TodoList(String text) {
        lines = new TextLines(text);
    }

    /// Makes the file if it is not there.
    ///
    /// @return whether anything changed
    /// @throws NpuflowException NPF-512 if the file cannot be read, NPF-510 if it cannot be written
    public static boolean update(Path file, TodoFacts facts) {
        String before = SmallText.find(file).orElse("");
        String after = updated(before, facts);
        if (after.equals(before)) {
            return false;
        }
        WholeFile.replace(file, after);
        return true;
    }

    static String updated(String text, TodoFacts facts) {
        String skeleton = Templates.render("todo.md.ftl", Map.of("name", facts.model(),
                "config", facts.config().entrySet().stream().map(row -> List.of(row.getKey(), row.getValue())).toList()));
        if (text.isEmpty()) {
            return updated(skeleton, facts);
        }
        TodoList list = new TodoList(text);
        TextLines whole = new TextLines(skeleton);
        list.complete(whole);
        facts.phases().forEach(list::tick);
        TodoBlockers blockers = new TodoBlockers(list.lines);
        facts.phases().forEach(blockers::update);
        new TodoConfig(list.lines).update(facts.config());
        return list.lines.toString();
    }

    /// Adds the blocks and boxes that are missing.
    private void complete(TextLines skeleton) {
        for (String heading : List.of(STATUS, BLOCKERS, CONFIG)) {
            boolean known = lines.section(heading) >= 0 || heading.equals(STATUS) && lines.find(0, lines.size(), line -> BOX.matcher(line).matches()) >= 0;
            if (!known) {
                int from = skeleton.section(heading);
                int end = skeleton.withoutBlanks(from, skeleton.sectionEnd(from));
                if (!lines.blank(lines.size() - 1)) {
                    lines.append("");
                }
                for (int i = from - 1; i < end; i++) {
                    lines.append(skeleton.get(i));
                }
            }
        }
        for (int phase = 0; phase < PHASES; phase++) {
            if (box(lines, phase) < 0) {
                lines.insert(placeOf(phase), skeleton.get(box(skeleton, phase)));
            }
        }
    }

    /// Before the next phase that is there, else behind the last one, else under the heading.
    private int placeOf(int phase) {
        for (int next = phase + 1; next < PHASES; next++) {
            if (box(lines, next) >= 0) {
                return box(lines, next);
            }
        }
        for (int earlier = phase - 1; earlier >= 0; earlier--) {
            int box = box(lines, earlier);
            if (box >= 0) {
                return lines.withoutBlanks(box, itemEnd(box));
            }
        }
        int section = lines.section(STATUS);
        if (section == lines.size() || !lines.blank(section)) {
            lines.insert(section, "");
        }
        return section + 1;
    }

    private static int box(TextLines lines, int phase) {
        return lines.find(0, lines.size(), line -> {
            Matcher box = BOX.matcher(line);
            return box.matches() && box.group(3).equals(Integer.toString(phase));
        });
    }

    /// Where what belongs to a box ends: at the next box or heading.
    private int itemEnd(int box) {
        int next = lines.find(box + 1, lines.size(), line -> BOX.matcher(line).matches() || HEADING.matcher(line).matches());
        return next < 0 ? lines.size() : next;
    }

    private void tick(TodoFacts.PhaseLine phase) {
        int box = box(lines, phase.phase());
        Matcher found = BOX.matcher(lines.get(box));
        if (found.matches()) {
            lines.set(box, found.group(1) + (phase.done() ? "x" : " ") + found.group(2));
        }
        int own = lines.find(box + 1, itemEnd(box), line -> line.strip().startsWith(OWN));
        String text = "  " + OWN + phase.text();
        if (own < 0) {
            lines.insert(box + 1, text);
        } else {
            lines.set(own, text);
        }
    }
}
