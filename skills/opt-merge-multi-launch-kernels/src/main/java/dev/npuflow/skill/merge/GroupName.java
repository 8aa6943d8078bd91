package dev.npuflow.skill.merge;

import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.PhasePlan;
import java.util.List;
import java.util.Map;

/// Names of merged calls: upstream's where the group is one of its templates (docs/upstream.md, "The ELFs of llama32_1b", "The ELFs of the other models"), else from the first
/// call to the last.
final class GroupName {

    private static final Map<List<String>, String> TEMPLATES = Map.ofEntries(
            Map.entry(List.of("rms_norm_attention", "q_gemv", "k_gemv", "v_gemv", "rope_q", "rope_k"), "rms_gemv_rope"),
            Map.entry(List.of("rms_norm_attention", "q_gemv", "k_gemv", "v_gemv", "q_bias", "k_bias", "v_bias", "rope_q", "rope_k"), "rms_qkv_bias_rope_gemv"),
            Map.entry(List.of("rms_norm_attention", "q_gemv", "k_gemv", "v_gemv", "q_norm", "k_norm", "rope_q", "rope_k"), "rms_qkv_qknorm_rope_gemv"),
            Map.entry(List.of("o_gemv", "add_attention", "rms_norm_ffn", "gate_gemv", "up_gemv", "silu_mul", "down_gemv", "add_ffn"), "o_gemv_ffn"),
            Map.entry(List.of("rms_norm_attention", "q_gemm", "k_gemm", "v_gemm", "rope_q", "rope_k"), "rms_gemms_rope"),
            Map.entry(List.of("rms_norm_attention", "q_gemm", "k_gemm", "v_gemm", "q_bias", "k_bias", "v_bias", "rope_q", "rope_k"), "rms_qkv_bias_rope"),
            Map.entry(List.of("rms_norm_attention", "q_gemm", "k_gemm", "v_gemm", "q_norm", "k_norm", "rope_q", "rope_k"), "rms_qkv_qknorm_rope"),
            Map.entry(List.of("o_gemm", "add_attention", "rms_norm_ffn", "gate_gemm", "up_gemm", "silu_mul", "down_gemm", "add_ffn"), "o_ffn"),
            Map.entry(List.of("o_gemm", "add_attention", "rms_norm_ffn", "gate_gemm", "up_gemm", "silu_mul"), "o_ffn_head"),
            Map.entry(List.of("o_gemm", "add_attention", "rms_norm_ffn"), "o_res_norm"),
            Map.entry(List.of("gate_gemm", "up_gemm"), "gate_up"),
            Map.entry(List.of("down_gemm", "add_ffn"), "down_add"));
    private static final String HEAD = "lm_head_";

    private GroupName() {}

    /// A part of the LM head is not called after the whole: names of calls are unique in a plan.
    static String of(PhasePlan plan, List<NpuCall> members) {
        List<String> names = members.stream().map(NpuCall::name).toList();
        if (names.equals(plan.calls().map(NpuCall::name).filter(name -> name.startsWith(HEAD)).toList())) {
            return "lm_head_gemv";
        }
        return TEMPLATES.getOrDefault(names, names.getFirst() + "_to_" + names.getLast());
    }
}
