/// What a user is told when something went wrong: one line, an exit code, and text that cannot harm a terminal. Knows nothing of the others.
@NullMarked
package dev.npuflow.fault;

import org.jspecify.annotations.NullMarked;
