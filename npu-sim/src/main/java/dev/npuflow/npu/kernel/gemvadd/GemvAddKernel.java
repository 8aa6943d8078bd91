package dev.npuflow.npu.kernel.gemvadd;

import static dev.npuflow.npu.kernel.KernelSignature.product;
import static dev.npuflow.npu.kernel.KernelSignature.reads;
import static dev.npuflow.npu.kernel.KernelSignature.writesRows;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.kernel.dot.DotProduct;
import dev.npuflow.npu.kernel.dot.PackedRows;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/// `gemv_add`: out(m) = matrix(m × k, row-major) · vector(k) + addend(m). One core of a column multiplies and hands its rows in bf16 to the core
/// beside it, which adds, so the bits are those of `gemv` and `eltwise_add`. `out` and `addend` may be the same memory.
public final class GemvAddKernel implements Kernel {

    public static final KernelId ID = new KernelId("gemv_add");

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(reads("matrix", product("m", "k")), reads("vector", product("k")), reads("addend", product("m")),
                    writesRows("out", product("m"))),
            List.of("m", "k"), List.of(), List.of());
    private static final ValueLayout.OfShort ELEMENT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int ROWS_A_BLOCK = 32;
    private static final DotProduct DOT = DotProduct.fastest();

    @Override
    public KernelId id() {
        return ID;
    }

    @Override
    public KernelSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void execute(LaunchDescription launch, Operands operands) {
        int m = launch.shape().get("m");
        int k = launch.shape().get("k");
        MemorySegment matrix = operands.port("matrix");
        MemorySegment addend = operands.port("addend");
        MemorySegment out = operands.port("out");
        int[] packed = PackedRows.of(operands.port("vector"), 1, k).packed();
        operands.workers().run(Math.ceilDiv(m, ROWS_A_BLOCK), block -> {
            float[] scratch = new float[DotProduct.FOLDED_SUMS];
            for (int row = block * ROWS_A_BLOCK; row < Math.min(m, (block + 1) * ROWS_A_BLOCK); row++) {
                float product = Bfloat16.toFloat(Bfloat16.fromFloat(DOT.dot(matrix, 2L * row * k, packed, 0, k, scratch)));
                out.set(ELEMENT, 2L * row, Bfloat16.fromFloat(product + Bfloat16.toFloat(addend.get(ELEMENT, 2L * row))));
            }
        });
    }
}
