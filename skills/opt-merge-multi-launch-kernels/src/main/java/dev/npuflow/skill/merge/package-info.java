/// The skill opt-merge-multi-launch-kernels.
@NullMarked
package dev.npuflow.skill.merge;

import org.jspecify.annotations.NullMarked;
