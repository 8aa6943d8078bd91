package dev.npuflow.skill.fuse;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.skill.Evidence;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Replaces O, addition, norm, gate, up, SiLU·mul, Down, addition of a decode layer by upstream's three launches (docs/upstream.md, "The ELFs of llama32_1b"):
/// `gemv_add`, `gemv_swiglu_rms`, `gemv_add`. Gate and up keep their fp32 sums, so the self-check asks for cosine, not for equal bits.
public final class FuseDecodeFeedForward implements Skill {

    @Override public String name() {
        return "opt-fuse-decode-ffn";
    }

    @Override public int order() {
        return 200;
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        Optional<String> lacking = context.lacks(List.of(DeviceTrait.CHAINED_CALLS, DeviceTrait.DEVICE_BARRIER, DeviceTrait.COHERENT_MEMORY));
        if (lacking.isPresent()) {
            return Assessment.notApplicable(lacking.get());
        }
        if (context.phase() != Phase.DECODE) {
            return Assessment.notApplicable("its kernels multiply one vector: decode only");
        }
        Optional<FeedForward> found = FeedForward.find(deployment.decode());
        if (found.isEmpty()) {
            return Assessment.notApplicable("no neighbouring calls compute O, add, norm, gate, up, SiLU·mul, Down, add with nothing read in between");
        }
        return switch (FusedCall.of(found.get(), context.placement())) {
            case FusedCall.Refused(String reason, List<Blocker> blockers) -> Assessment.notApplicable(reason, blockers);
            case FusedCall.Placed(NpuCall call) -> fused(deployment, found.get(), call);
        };
    }

    private static Assessment fused(Deployment deployment, FeedForward found, NpuCall call) {
        List<String> members = found.calls().stream().map(NpuCall::name).toList();
        String became = "%d launches in %d %s become %d in 1".formatted(found.launches(), members.size(), members.size() == 1 ? "call" : "calls", call.launches().size());
        List<String> kernels = call.launches().stream().map(Launch::kernel).toList();
        return Assessment.proposal(deployment.withPhase(Phase.DECODE, replaced(deployment.decode(), found, call)), became).changingBits(true)
                .withEvidence(List.of(Evidence.of("Fused feed-forward: " + call.name(), "Launches a layer: %d -> %d".formatted(found.launches(), call.launches().size()),
                        "Kernels: " + String.join(", ", kernels), "Cores: %d columns, ping-pong %s".formatted(call.launches().getFirst().herd().columns(),
                                call.options().pingPong() ? "on" : "off")).timing(members, List.of(call.name()))));
    }

    private static PhasePlan replaced(PhasePlan plan, FeedForward found, NpuCall call) {
        List<Step> layer = new ArrayList<>();
        for (Step step : plan.layer()) {
            if (step == found.calls().getFirst()) {
                layer.add(call);
            } else if (found.calls().stream().noneMatch(member -> member == step)) {
                layer.add(step);
            }
        }
        return new PhasePlan(plan.prologue(), layer, plan.epilogue());
    }
}
