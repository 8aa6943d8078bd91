/// An XRT-like runtime: buffer objects with a host and a device side, loaded ELFs, runs.
@NullMarked
package dev.npuflow.npu.runtime;

import org.jspecify.annotations.NullMarked;
