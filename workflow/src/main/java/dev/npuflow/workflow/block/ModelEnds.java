package dev.npuflow.workflow.block;

import java.util.List;

/// What stands before a model's first layer and behind its last one; the same in every family:
///
///     ids → embedding → x → layers → x → norm → x_final → head → logits
public final class ModelEnds {

    public static final Weight EMBEDDING = new Weight("model.embed_tokens.weight", Extent.VOCABULARY, Extent.HIDDEN);
    /// Of a tied head, the embedding.
    public static final Weight HEAD = new Weight("lm_head.weight", Extent.VOCABULARY, Extent.HIDDEN);

    /// The residual stream: a layer reads it, and its last operator writes it.
    public static final Value STREAM = new Value("x", Extent.HIDDEN);
    /// Of the last position only.
    public static final Value LOGITS = new Value("logits", Extent.VOCABULARY);
    /// Of the last position only.
    public static final Operator.Norm FINAL_NORM = new Operator.Norm("final_rms_norm", STREAM, new Weight("model.norm.weight", Extent.ONE, Extent.HIDDEN),
            new Value("x_final", Extent.HIDDEN));
    public static final Operator.Projection HEAD_PROJECTION = new Operator.Projection("lm_head", FINAL_NORM.output(), HEAD, LOGITS);

    /// Behind the last layer, in order.
    public static final List<Operator> OPERATORS = List.of(FINAL_NORM, HEAD_PROJECTION);

    private ModelEnds() {}
}
