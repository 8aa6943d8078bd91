/// What is to be built and run, as pure descriptions: launches, the ELF that holds them, and why one does not build.
@NullMarked
package dev.npuflow.npu.launch;

import org.jspecify.annotations.NullMarked;
