package dev.npuflow.workflow.cli.sim.aie;

import dev.npuflow.npu.kernel.attention.FlashAttentionKernel;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Transfer;
import java.util.Map;

/// What an ideal machine would have to do for a call: bytes of every argument but the intermediate ones, and floating-point operations.
record PlanWork(double bytes, double operations) {

    static PlanWork of(NpuCall call) {
        double bytes = call.arguments().stream().filter(argument -> argument.transfer() != Transfer.INTERMEDIATE || argument.readBack())
                .mapToLong(Argument::bytes).sum();
        return new PlanWork(bytes, call.launches().stream().mapToDouble(PlanWork::operations).sum());
    }

    static PlanWork ofPass(Deployment deployment, Phase phase) {
        double[] sum = new double[2];
        deployment.phase(phase).mapCalls((call, inLayer) -> {
            PlanWork work = of(call);
            int repeats = inLayer ? deployment.model().layers() : 1;
            sum[0] += repeats * work.bytes;
            sum[1] += repeats * work.operations;
            return call;
        });
        return new PlanWork(sum[0], sum[1]);
    }

    private static double operations(Launch launch) {
        Map<String, Integer> shape = launch.shape();
        if (launch.kernel().equals(FlashAttentionKernel.ID.value())) {
            return 4.0 * shape.get("seq_q") * shape.get("seq_k") * shape.get("heads") * shape.get("head_dim");
        }
        return shape.containsKey("m") ? 2.0 * shape.get("m") * shape.get("k") * shape.getOrDefault("n", 1) : 0;
    }
}
