/// The skill opt-herd-sizing.
@NullMarked
package dev.npuflow.skill.herd;

import org.jspecify.annotations.NullMarked;
