/// The skill opt-buffer-object-reuse.
@NullMarked
package dev.npuflow.skill.reuse;

import org.jspecify.annotations.NullMarked;
