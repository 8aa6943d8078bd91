/// How long whole commands take, and how much memory.
@NullMarked
package dev.npuflow.benchmarks;

import org.jspecify.annotations.NullMarked;
