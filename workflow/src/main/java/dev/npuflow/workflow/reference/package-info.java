/// The judge: Hugging Face's bf16 semantics on the CPU. Shares no arithmetic with the NPU run.
@NullMarked
package dev.npuflow.workflow.reference;

import org.jspecify.annotations.NullMarked;
