/// The skill opt-layout-alignment.
@NullMarked
package dev.npuflow.skill.layout;

import org.jspecify.annotations.NullMarked;
