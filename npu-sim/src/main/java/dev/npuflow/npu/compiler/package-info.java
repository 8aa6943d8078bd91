/// From an ELF description to an executable, or to typed blockers.
@NullMarked
package dev.npuflow.npu.compiler;

import org.jspecify.annotations.NullMarked;
