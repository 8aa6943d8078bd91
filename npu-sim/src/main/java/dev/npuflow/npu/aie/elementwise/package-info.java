/// Addition and SiLU times up on an array.
@NullMarked
package dev.npuflow.npu.aie.elementwise;

import org.jspecify.annotations.NullMarked;
