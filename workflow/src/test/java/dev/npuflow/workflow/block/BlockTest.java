package dev.npuflow.workflow.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.block.Operator.Projection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BlockTest {

    /// 6 query heads on 2 key/value heads of 16.
    private static final Dimensions DIMENSIONS = new Dimensions(64, 100, 6, 2, 16, 32);

    private static final Block PLAIN = PreNorm.of(false, false, false);
    private static final Block ALL = PreNorm.of(true, true, true);

    private static List<String> tensors(Block block) {
        return block.weights().stream().map(weight -> weight.in(3)).toList();
    }

    /// The names of a published Llama checkpoint's layer.
    @Test void a_plain_layer_has_nine_tensors_and_no_bias() {
        assertEquals(List.of("model.layers.3.input_layernorm.weight", "model.layers.3.self_attn.q_proj.weight", "model.layers.3.self_attn.k_proj.weight",
                "model.layers.3.self_attn.v_proj.weight", "model.layers.3.self_attn.o_proj.weight", "model.layers.3.post_attention_layernorm.weight",
                "model.layers.3.mlp.gate_proj.weight", "model.layers.3.mlp.up_proj.weight", "model.layers.3.mlp.down_proj.weight"), tensors(PLAIN));
        assertFalse(PLAIN.hasInputBias() || PLAIN.hasOutputBias() || PLAIN.normsHeads());
    }

    /// In this order synthetic weights are laid out, so that it is a part of a model's fingerprint.
    @Test void a_bias_stands_right_behind_its_weight_though_plans_add_it_after_all_three_projections() {
        assertEquals(List.of("q_proj.weight", "q_proj.bias", "k_proj.weight", "k_proj.bias", "v_proj.weight", "v_proj.bias", "q_norm.weight", "k_norm.weight",
                "o_proj.weight", "o_proj.bias"), tensors(ALL).stream().filter(name -> name.contains("self_attn")).map(name -> name.substring(25)).toList());
        assertEquals(List.of("q", "k", "v", "q_bias", "k_bias", "v_bias", "q_norm", "k_norm", "rope_q", "rope_k"),
                ALL.beforeAttention().stream().skip(1).map(Operator::name).toList());
        assertTrue(ALL.hasInputBias() && ALL.hasOutputBias() && ALL.normsHeads());
    }

    @Test void a_bias_of_the_inputs_is_none_of_the_output() {
        assertTrue(PreNorm.of(true, false, false).hasInputBias());
        assertFalse(PreNorm.of(true, false, false).hasOutputBias());
        assertFalse(PreNorm.of(false, true, false).hasInputBias());
    }

    @Test void shapes_follow_from_the_widths() {
        assertEquals(List.of(96L, 64L), weight("self_attn.q_proj.weight").shape(DIMENSIONS));
        assertEquals(List.of(96L), weight("self_attn.q_proj.bias").shape(DIMENSIONS));
        assertEquals(List.of(32L, 64L), weight("self_attn.k_proj.weight").shape(DIMENSIONS));
        assertEquals(List.of(16L), weight("self_attn.k_norm.weight").shape(DIMENSIONS));
        assertEquals(List.of(64L, 96L), weight("self_attn.o_proj.weight").shape(DIMENSIONS));
        assertEquals(List.of(64L, 100L), weight("mlp.down_proj.weight").shape(DIMENSIONS));
        assertEquals(List.of(32L, 64L), ModelEnds.HEAD.shape(DIMENSIONS));
    }

    private static Weight weight(String module) {
        return ALL.weight("model.layers.{layer}." + module).orElseThrow();
    }

    @Test void a_weight_is_found_by_its_name_in_any_layer_and_another_tensor_is_not() {
        assertEquals(weight("mlp.up_proj.weight"), ALL.weight(Weight.inAnyLayer("model.layers.17.mlp.up_proj.weight")).orElseThrow());
        assertEquals(Optional.empty(), PLAIN.weight(Weight.inAnyLayer("model.layers.0.self_attn.q_proj.bias")));
        assertEquals("model.norm.weight", Weight.inAnyLayer("model.norm.weight"));
    }

    @Test void what_a_value_is_before_its_bias_is_the_projection_s() {
        Value key = new Value("k_biased", Extent.KEY_VALUE);
        assertEquals("k", ALL.beforeBias(key).name());
        assertEquals("k", ALL.projection(key).name());
        assertEquals(List.of("k", "k_bias"), ALL.withBias(ALL.projection(key)).stream().map(Operator::name).toList());
        Value plain = new Value("k", Extent.KEY_VALUE);
        assertEquals(plain, PLAIN.beforeBias(plain));
        assertEquals(1, PLAIN.withBias((Projection) PLAIN.maker(plain)).size());
        assertThrows(IllegalArgumentException.class, () -> PLAIN.projection(PLAIN.attention().output()));
    }

    @Test void heads_are_counted_where_a_value_has_any() {
        assertEquals(List.of(6, 2, 2, 6), List.of(DIMENSIONS.heads(PLAIN.attention().query()), DIMENSIONS.heads(PLAIN.attention().key()),
                DIMENSIONS.heads(PLAIN.attention().value()), DIMENSIONS.heads(PLAIN.attention().output())));
        assertEquals(0, DIMENSIONS.heads(ModelEnds.STREAM));
    }

    private static String refusal(LayerDeclaration layer, Value branch) {
        return assertThrows(IllegalArgumentException.class, () -> layer.endingWith("add", branch, layer.stream())).getMessage();
    }

    @Test void a_value_that_nobody_made_cannot_be_read() {
        LayerDeclaration layer = new LayerDeclaration(Rounding.EACH_STEP);
        assertEquals("q reads a value that nobody made", refusal(layer, layer.project("q", new Value("normed", Extent.HIDDEN), "q_proj", Extent.QUERY, "q")));
    }

    @Test void two_operators_of_one_name_and_two_values_of_one_name_are_refused() {
        LayerDeclaration layer = new LayerDeclaration(Rounding.EACH_STEP);
        layer.project("q", layer.stream(), "q_proj", Extent.QUERY, "q");
        assertEquals("q has a name that is taken", refusal(layer, layer.project("q", layer.stream(), "k_proj", Extent.QUERY, "k")));
        LayerDeclaration values = new LayerDeclaration(Rounding.EACH_STEP);
        values.project("q", values.stream(), "q_proj", Extent.QUERY, "q");
        assertEquals("k makes a value that is there already", refusal(values, values.project("k", values.stream(), "k_proj", Extent.QUERY, "q")));
    }

    @Test void a_layer_attends_once_and_ends_with_the_stream() {
        LayerDeclaration none = new LayerDeclaration(Rounding.EACH_STEP);
        assertEquals("the layer does not attend once", refusal(none, none.stream()));
        assertEquals("the layer does not end with x", assertThrows(IllegalArgumentException.class, () -> new Block(PLAIN.beforeAttention(), Rounding.EACH_STEP)).getMessage());
        assertEquals("the layer does not end with x", assertThrows(IllegalArgumentException.class, () -> new Block(List.of(), Rounding.EACH_STEP)).getMessage());
    }
}
