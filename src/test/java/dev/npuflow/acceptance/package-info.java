/// What the whole house promises, tried from outside.
@NullMarked
package dev.npuflow.acceptance;

import org.jspecify.annotations.NullMarked;
