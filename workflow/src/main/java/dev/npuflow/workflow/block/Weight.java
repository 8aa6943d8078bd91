package dev.npuflow.workflow.block;

import java.util.List;
import java.util.regex.Matcher;

/// A tensor that a family's checkpoints hold.
///
/// @param tensor  Hugging Face name; in a layer's, the text `{layer}` stands for the layer's number, as in a plan
/// @param rows    outputs of a matrix, [Extent#ONE] of a vector
/// @param columns inputs of a matrix, elements of a vector
public record Weight(String tensor, Extent rows, Extent columns) {

    /// Before the names of all tensors of a layer.
    public static final String LAYER = "model.layers.{layer}.";

    private static final String NUMBER = "{layer}";

    /// The tensor's name in one layer.
    public String in(int layer) {
        return tensor.replace(NUMBER, Integer.toString(layer));
    }

    /// A tensor's name in one layer, as it is for all of them; another tensor's name as it is.
    public static String inAnyLayer(String tensor) {
        return tensor.replaceFirst("^model\\.layers\\.\\d+\\.", Matcher.quoteReplacement(LAYER));
    }

    public boolean isVector() {
        return rows == Extent.ONE;
    }

    /// (out, in) of a matrix, (n) of a vector, as checkpoints have it.
    public List<Long> shape(Dimensions dimensions) {
        long inner = dimensions.of(columns);
        return isVector() ? List.of(inner) : List.of((long) dimensions.of(rows), inner);
    }

    /// The module that the tensor is a part of: `…self_attn.q_proj` of its `weight` and of its `bias`.
    String module() {
        return tensor.substring(0, tensor.lastIndexOf('.'));
    }
}
