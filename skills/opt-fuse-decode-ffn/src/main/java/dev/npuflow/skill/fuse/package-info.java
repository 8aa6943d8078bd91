/// The skill opt-fuse-decode-ffn.
@NullMarked
package dev.npuflow.skill.fuse;

import org.jspecify.annotations.NullMarked;
