package dev.npuflow.skill.merge;

import dev.npuflow.plan.NpuCall;
import java.util.List;
import java.util.Map;

/// Names of merged calls: upstream's where the group is one of its templates (reference document §E.2, §E.4), else from the first
/// call to the last.
final class GroupName {

    private static final Map<List<String>, String> TEMPLATES = Map.of(
            List.of("rms_norm_attention", "q_gemv", "k_gemv", "v_gemv", "rope_q", "rope_k"), "rms_gemv_rope",
            List.of("rms_norm_attention", "q_gemv", "k_gemv", "v_gemv", "q_bias", "k_bias", "v_bias", "rope_q", "rope_k"), "rms_qkv_bias_rope_gemv",
            List.of("rms_norm_attention", "q_gemv", "k_gemv", "v_gemv", "q_norm", "k_norm", "rope_q", "rope_k"), "rms_qkv_qknorm_rope_gemv",
            List.of("o_gemv", "add_attention", "rms_norm_ffn", "gate_gemv", "up_gemv", "silu_mul", "down_gemv", "add_ffn"), "o_gemv_ffn",
            List.of("rms_norm_attention", "q_gemm", "k_gemm", "v_gemm", "rope_q", "rope_k"), "rms_gemms_rope",
            List.of("rms_norm_attention", "q_gemm", "k_gemm", "v_gemm", "q_bias", "k_bias", "v_bias", "rope_q", "rope_k"), "rms_qkv_bias_rope",
            List.of("rms_norm_attention", "q_gemm", "k_gemm", "v_gemm", "q_norm", "k_norm", "rope_q", "rope_k"), "rms_qkv_qknorm_rope",
            List.of("o_gemm", "add_attention", "rms_norm_ffn", "gate_gemm", "up_gemm", "silu_mul", "down_gemm", "add_ffn"), "o_ffn");

    private GroupName() {}

    static String of(List<NpuCall> members) {
        List<String> names = members.stream().map(NpuCall::name).toList();
        if (names.stream().allMatch(name -> name.startsWith("lm_head_"))) {
            return "lm_head_gemv";
        }
        return TEMPLATES.getOrDefault(names, names.getFirst() + "_to_" + names.getLast());
    }
}
