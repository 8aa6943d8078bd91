package dev.npuflow.workflow.generation;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.fault.NpuflowException;
import java.util.ArrayList;
import java.util.List;

/// The k best ids of a vector of logits.
public final class TopK {

    private TopK() {}

    /// Best first, the smaller id first among equals, also at the cut; NaN behind every number. Upstream keeps arbitrary ids of a tie at the
    /// cut (docs/upstream.md, "Gate"), which no two programs would agree on.
    ///
    /// @throws NpuflowException NPF-501 if `k` is below 1 or above the number of logits
    public static List<Integer> of(float[] logits, int k) {
        if (k < 1 || k > logits.length) {
            throw NpuflowException.badInput("NPF-501", "top-k", format(ROOT, "k = %d", k),
                    format(ROOT, "1 to the vocabulary of %d entries", logits.length), "a smaller k or a model with a larger vocabulary");
        }
        int[] best = new int[k];
        int kept = 0;
        for (int id = 0; id < logits.length; id++) {
            if (kept == k && !better(logits[id], logits[best[k - 1]])) {
                continue;
            }
            int place = kept == k ? k - 1 : kept++;
            while (place > 0 && better(logits[id], logits[best[place - 1]])) {
                best[place] = best[place - 1];
                place--;
            }
            best[place] = id;
        }
        List<Integer> ids = new ArrayList<>(k);
        for (int id : best) {
            ids.add(id);
        }
        return List.copyOf(ids);
    }

    /// Strictly, so that of equals the one that came first stays ahead.
    private static boolean better(float candidate, float held) {
        return candidate > held || Float.isNaN(held) && !Float.isNaN(candidate);
    }
}
