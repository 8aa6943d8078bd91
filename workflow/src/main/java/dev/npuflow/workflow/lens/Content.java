package dev.npuflow.workflow.lens;

import dev.npuflow.workflow.lens.ReferencePass.Key;
import java.util.List;

/// What stands where an operator reads, found by comparing bits.
sealed interface Content {

    String text();

    record Right() implements Content {
        @Override public String text() {
            return "what it should";
        }
    }

    record Zeros() implements Content {
        @Override public String text() {
            return "zeros, as after the preload";
        }
    }

    /// Another operator's output, or the same of another layer or step.
    record Output(Key key, int step, int stepNow) implements Content {
        @Override public String text() {
            String when = step == stepNow ? "this step" : step == 0 ? "the prefill" : "step " + step;
            return "%s in %s".formatted(key.text(), when);
        }
    }

    record Weight(String tensor, int firstRow) implements Content {
        @Override public String text() {
            return firstRow == 0 ? tensor : "%s from row %d on".formatted(tensor, firstRow);
        }
    }

    /// Row 0 of each, then row 1 of each …
    record WeightsInTurn(List<String> tensors) implements Content {
        @Override public String text() {
            return "rows of %s in turn".formatted(String.join(" and ", tensors));
        }
    }

    record Table(int firstPosition) implements Content {
        @Override public String text() {
            return "the RoPE rows of position " + firstPosition;
        }
    }

    record InterleavedTable() implements Content {
        @Override public String text() {
            return "RoPE rows with cosine and sine in turn";
        }
    }

    record OtherLayout() implements Content {
        @Override public String text() {
            return "it with heads and positions the other way round";
        }
    }

    record Unknown() implements Content {
        @Override public String text() {
            return "something that is no weight and no operator's output";
        }
    }
}
