package dev.npuflow.acceptance;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import java.util.List;
import java.util.function.UnaryOperator;

/// Skills with the faults that people made (docs/upstream.md, "Faults of buffer objects"), and one that is merely slow.
final class BadSkills {

    private BadSkills() {}

    /// The RoPE rows of one position are taken for a constant.
    static Skill ropeTableMarkedStatic() {
        return onCalls("bad-rope-table-static", call -> call.mapArguments(argument ->
                argument.source() instanceof Source.LookUpTable ? argument.withTransfer(Transfer.STATIC) : argument));
    }

    /// Weights are kept on the device, and all layers share one set of buffer objects.
    static Skill staticWeightsUnderOneKey() {
        return onCalls("bad-static-weights-shared-key", call -> call.withBufferKey(BufferKey.SHARED).mapArguments(argument ->
                argument.source() instanceof Source.Weight ? argument.withTransfer(Transfer.STATIC) : argument));
    }

    /// What the attention's output projection reads is taken for something the device makes itself.
    static Skill inputMarkedIntermediate() {
        return onCalls("bad-input-intermediate", call -> call.mapArguments(argument ->
                isAttention(argument) ? argument.withTransfer(Transfer.INTERMEDIATE) : argument));
    }

    /// Single buffers everywhere: the same bits, later.
    static Skill withoutPingPong() {
        return onCalls("slow-without-ping-pong", call -> call.withOptions(new ElfOptions(false, call.options().loopTiling())));
    }

    /// The LM head's input is said to have as many elements as an `int` can count.
    static Skill hugeShape() {
        return onCalls("bad-huge-shape", call -> call.name().equals("lm_head_0") ? call.mapArguments(argument -> argument.name().equals("x_final")
                ? new Argument(argument.name(), List.of(Integer.MAX_VALUE), argument.dataType(), argument.source(), argument.transfer(), argument.readBack()) : argument) : call);
    }

    private static boolean isAttention(Argument argument) {
        return argument.source() instanceof Source.Activation(String value) && value.equals("attention");
    }

    static Skill onCalls(String name, UnaryOperator<NpuCall> change) {
        return new Skill() {
            @Override public String name() {
                return name;
            }

            @Override public Assessment assess(Deployment deployment, SkillContext context) {
                return Assessment.proposal(deployment.withPhase(Phase.DECODE, deployment.decode().mapCalls(change)), "it always does");
            }
        };
    }
}
