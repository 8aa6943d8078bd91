package dev.npuflow.workflow.cli.kernels;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.workflow.cli.OnOff;
import dev.npuflow.workflow.cli.kernels.StatedSizes.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Which kernel, of which shape, on which device.
final class KernelOptions {

    @Parameters(index = "0", paramLabel = "KERNEL",
            description = "GEMV, GEMM, RMSNorm, RoPE, EltwiseAdd, SiLU_Mul, FlashAttention, or an id of docs/kernels.md; in any case")
    private String kernel;

    @Option(names = "--m", paramLabel = "N", description = "output rows")
    private @Nullable Integer m;

    @Option(names = "--k", paramLabel = "N", description = "length of the sums")
    private @Nullable Integer k;

    @Option(names = {"--n", "--cols"}, paramLabel = "N", description = "output columns, elements of a row, or elements in all")
    private @Nullable Integer n;

    @Option(names = "--rows", paramLabel = "N", description = "rows of RMSNorm, RoPE and bias add")
    private @Nullable Integer rows;

    @Option(names = "--head-dim", paramLabel = "N", description = "elements of a RoPE row or of an attention head")
    private @Nullable Integer headDim;

    @Option(names = "--seq-q", paramLabel = "N", description = "positions of the queries of FlashAttention")
    private @Nullable Integer seqQ;

    @Option(names = "--seq-k", paramLabel = "N", description = "positions of its keys")
    private @Nullable Integer seqK;

    @Option(names = "--heads", paramLabel = "N", description = "its query heads")
    private @Nullable Integer heads;

    @Option(names = "--kv-heads", paramLabel = "N", description = "its key/value heads")
    private @Nullable Integer keyValueHeads;

    @Option(names = "--loop-tiling", paramLabel = "N",
            description = "runtime loop tiling (default: as in mlir-air's benchmark)")
    private @Nullable Integer loopTiling;

    @Option(names = "--ping-pong", paramLabel = "on|off", description = "two of each buffer in L1 and L2")
    private @Nullable OnOff pingPong;

    @Option(names = "--device", paramLabel = "NAME|FILE", defaultValue = "npu2", description = "device file (default: ${DEFAULT-VALUE})")
    private String device;

    @Option(names = "--set", paramLabel = "FIELD=VALUE", description = "override a field of the device file")
    private List<String> overrides = new ArrayList<>();

    DeviceDescription device() {
        return Devices.load(device, overrides);
    }

    /// @throws NpuflowException NPF-830 for a name that is no kernel's
    NamedKernel kernel() {
        return NamedKernel.of(kernel, device());
    }

    /// The extents that the kernel's signature asks for.
    ///
    /// @throws NpuflowException NPF-831, NPF-832, NPF-833 as [StatedSizes#shape]
    SortedMap<String, Integer> shape() {
        return StatedSizes.shape(kernel(), given("m", m, "k", k, "n", n, "rows", rows, "head_dim", headDim, "seq_q", seqQ, "seq_k", seqK,
                "heads", heads, "kv_heads", keyValueHeads), Form.OPTION);
    }

    BenchmarkBuild benchmark() {
        return device().benchmark(kernel().id());
    }

    static SortedMap<String, Integer> given(@Nullable Object... pairs) {
        SortedMap<String, Integer> given = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i + 1] instanceof Integer value) {
                given.put((String) pairs[i], value);
            }
        }
        return given;
    }

    /// @throws NpuflowException NPF-833 if it is below 1
    int loopTiling() {
        if (loopTiling != null && loopTiling < 1) {
            throw NpuflowException.badInput("NPF-833", "--loop-tiling", loopTiling, "1 or more", "--loop-tiling 4");
        }
        return loopTiling != null ? loopTiling : benchmark().loopTiling();
    }

    Optional<Boolean> pingPong() {
        return Optional.ofNullable(pingPong).map(flag -> flag == OnOff.ON);
    }
}
