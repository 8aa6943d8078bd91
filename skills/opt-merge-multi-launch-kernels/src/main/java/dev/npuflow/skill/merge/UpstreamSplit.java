package dev.npuflow.skill.merge;

import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.UpstreamSizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which launches upstream's ELFs hold together for a model, by the rule of its drivers (docs/upstream.md, "The ELFs of the other models"): what is known to build on silicon.
///
/// | feed-forward in prefill | after attention |
/// |---|---|
/// | at most 8192, a multiple of 512 | all eight in one |
/// | at most 8192, else | O to SiLU·mul; Down and add |
/// | above 8192 | O, add, norm; gate and up, apart from a hidden size of 2048 on; SiLU·mul; Down and add |
///
/// In decode all eight are one where the hidden size is below 2560 and the feed-forward and query widths are multiples of 512. Else each GEMV is alone, and the host
/// computes what stands between them. A bias on O, which no model of upstream's has, goes with O.
record UpstreamSplit(ModelShape model, Phase phase) {

    private static final List<String> ATTENTION_INPUT = List.of("rms_norm_attention", "q", "k", "v", "q_bias", "k_bias", "v_bias", "q_norm", "k_norm", "rope_q",
            "rope_k");
    private static final List<String> ALL_AFTER = List.of("o", "o_bias", "add_attention", "rms_norm_ffn", "gate", "up", "silu_mul", "down", "add_ffn");
    private static final List<String> HOST = List.of("add_attention", "rms_norm_ffn", "silu_mul", "add_ffn");
    private static final String HEAD = "lm_head_";

    /// Whether upstream builds two launches of these names into one ELF.
    boolean together(String first, String second) {
        if (first.startsWith(HEAD) && second.startsWith(HEAD)) {
            return true;
        }
        return groups().stream().anyMatch(group -> group.contains(role(first)) && group.contains(role(second)));
    }

    /// Whether upstream computes on the host what a launch of this name computes.
    boolean onHost(String launch) {
        return phase == Phase.DECODE && !isFused() && HOST.contains(launch);
    }

    /// Neighbours in one ELF that upstream builds apart; empty if there are none.
    Optional<String> unknownTo(NpuCall call) {
        List<String> pairs = new ArrayList<>();
        List<String> names = call.launches().stream().map(Launch::name).toList();
        for (int i = 1; i < names.size(); i++) {
            if (!together(names.get(i - 1), names.get(i))) {
                pairs.add("%s + %s".formatted(names.get(i - 1), names.get(i)));
            }
        }
        return pairs.isEmpty() ? Optional.empty()
                : Optional.of("%s joins what upstream builds apart for this shape, not known to build on silicon: %s".formatted(call.name(), String.join(", ", pairs)));
    }

    private List<List<String>> groups() {
        return switch (phase) {
            case PREFILL -> prefill();
            case DECODE -> isFused() ? List.of(ATTENTION_INPUT, ALL_AFTER) : List.of(ATTENTION_INPUT, ALL_AFTER.subList(0, 2));
        };
    }

    private boolean isFused() {
        return new UpstreamSizes(model).fusesDecode();
    }

    private List<List<String>> prefill() {
        UpstreamSizes sizes = new UpstreamSizes(model);
        if (!sizes.fusesPrefill()) {
            List<List<String>> groups = new ArrayList<>(List.of(ATTENTION_INPUT, ALL_AFTER.subList(0, 4), List.of("down", "add_ffn")));
            if (sizes.pairsGateAndUp()) {
                groups.add(List.of("gate", "up"));
            }
            return groups;
        }
        return sizes.alignsFeedForward() ? List.of(ATTENTION_INPUT, ALL_AFTER)
                : List.of(ATTENTION_INPUT, ALL_AFTER.subList(0, 7), ALL_AFTER.subList(7, 9));
    }

    private static String role(String launch) {
        return launch.replaceFirst("_gem[vm]$", "");
    }
}
