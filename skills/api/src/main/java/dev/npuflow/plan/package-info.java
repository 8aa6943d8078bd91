/// What a deployment *is*: the plan, immutable, with a canonical JSON form and a SHA-256.
@NullMarked
package dev.npuflow.plan;

import org.jspecify.annotations.NullMarked;
