package dev.npuflow.workflow.cli.kernels;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.registry.Kernels;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.workflow.fault.NpuflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Which kernel, of which shape, on which device.
final class KernelOptions {

    /// The kernel registry's names, letters and digits only, where they are not ours.
    private static final Map<String, String> REGISTRY_NAMES = Map.of("rmsnorm", "rms_norm", "eltwiseadd", "eltwise_add", "silumul", "silu_mul",
            "biasadd",
            "bias_add", "gemvadd", "gemv_add", "gemvswiglurms", "gemv_swiglu_rms", "flashattention", "flash_attention");

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
            description = "runtime loop tiling (default: that of mlir-air's benchmark: GEMV 4, GEMM 2, else 1)")
    private @Nullable Integer loopTiling;

    @Option(names = "--ping-pong", paramLabel = "on|off", description = "two of each buffer in L1 and L2")
    private @Nullable OnOff pingPong;

    @Option(names = "--device", paramLabel = "NAME|FILE", defaultValue = "npu2", description = "device file (default: ${DEFAULT-VALUE})")
    private String device;

    @Option(names = "--set", paramLabel = "FIELD=VALUE", description = "override a field of the device file")
    private List<String> overrides = new ArrayList<>();

    enum OnOff { ON, OFF }

    DeviceDescription device() {
        return Devices.load(device, overrides);
    }

    /// @throws NpuflowException NPF-830 for a name that is no kernel's
    Kernel kernel() {
        String plain = kernel.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        return Kernels.byId(new KernelId(REGISTRY_NAMES.getOrDefault(plain, plain))).orElseThrow(() -> NpuflowException.badInput("NPF-830",
                "kernel", kernel,
                "GEMV, GEMM, RMSNorm, RoPE, EltwiseAdd, SiLU_Mul or one of %s".formatted(Kernels.all().keySet().stream().map(KernelId::value).collect(Collectors.joining(", "))), "GEMV"));
    }

    /// The extents that the kernel's signature asks for. Rows of a GEMM are positions.
    ///
    /// @throws NpuflowException NPF-831 if one is missing, NPF-832 if one is given that it does not have, NPF-833 if one is below 1
    SortedMap<String, Integer> shape() {
        KernelSignature signature = kernel().signature();
        SortedMap<String, Integer> shape = stated(given("m", m, "k", k, "n", n, "rows", rows, "head_dim", headDim, "seq_q", seqQ, "seq_k", seqK,
                "heads", heads, "kv_heads", keyValueHeads), signature.shape());
        if (signature.shape().contains(KernelSignature.POSITIONS)) {
            shape.put(KernelSignature.POSITIONS, shape.get("m"));
        }
        return shape;
    }

    /// Of the given sizes those that `required` names, all of them.
    SortedMap<String, Integer> stated(SortedMap<String, Integer> given, List<String> required) {
        given.forEach((name, value) -> {
            if (!required.contains(name)) {
                throw NpuflowException.badInput("NPF-832", "%s of %s, which has no such size".formatted(option(name), kernel().id()), value,
                        "of these: %s".formatted(String.join(", ", required.stream().map(KernelOptions::option).toList())), "leaving it out");
            }
            if (value < 1) {
                throw NpuflowException.badInput("NPF-833", option(name), value, "1 or more", "%s 8".formatted(option(name)));
            }
        });
        for (String name : required) {
            if (!given.containsKey(name) && !name.equals(KernelSignature.POSITIONS)) {
                throw NpuflowException.badInput("NPF-831", "%s of %s is missing".formatted(option(name), kernel().id()),
                        "every size that the kernel has",
                        "%s 8".formatted(option(name)));
            }
        }
        return new TreeMap<>(given);
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

    private static String option(String name) {
        return "--" + name.replace('_', '-');
    }

    /// @throws NpuflowException NPF-833 if it is below 1
    int loopTiling() {
        if (loopTiling != null && loopTiling < 1) {
            throw NpuflowException.badInput("NPF-833", "--loop-tiling", loopTiling, "1 or more", "--loop-tiling 4");
        }
        return loopTiling != null ? loopTiling : switch (kernel().id().value()) {
            case "gemv" -> 4;
            case "gemm" -> 2;
            default -> 1;
        };
    }

    Optional<Boolean> pingPong() {
        return Optional.ofNullable(pingPong).map(flag -> flag == OnOff.ON);
    }
}
