/// The safetensors file format: 8 bytes header length, a JSON header, the tensors' bytes without a gap.
/// Format: https://github.com/huggingface/safetensors#format
@NullMarked
package dev.npuflow.workflow.model.safetensors;

import org.jspecify.annotations.NullMarked;
