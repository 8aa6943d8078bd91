package dev.npuflow.workflow.report;

/// A part of a person's text that is npuflow's: what stands between two comments. The rest stays byte for byte.
final class OwnBlock {

    private OwnBlock() {}

    /// Writes the block anew, or behind the text where it is not there yet. One comment without the other is a person's leftover.
    ///
    /// @param block lines that end in a line break
    static String put(String text, String begin, String block, String end) {
        String whole = begin + "\n" + block + end;
        for (int last = text.indexOf(end); last >= 0; last = text.indexOf(end, last + 1)) {
            int first = text.lastIndexOf(begin, last);
            if (first >= 0) {
                return text.substring(0, first) + whole + text.substring(last + end.length());
            }
        }
        String gap = text.isEmpty() ? "" : text.endsWith("\n") ? "\n" : "\n\n";
        return text + gap + whole + "\n";
    }
}
