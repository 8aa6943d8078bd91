/// FlashAttention: softmax(query · keyᵀ / √head_dim) · value without the scores ever leaving the cores.
@NullMarked
package dev.npuflow.npu.kernel.attention;

import org.jspecify.annotations.NullMarked;
