/// The lens: shows how far the NPU is from the reference and where it leaves it. It informs and never decides.
@NullMarked
package dev.npuflow.workflow.lens;

import org.jspecify.annotations.NullMarked;
