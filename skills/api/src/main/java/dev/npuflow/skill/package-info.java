/// The contract of an optimization: a pure function from plan to plan.
@NullMarked
package dev.npuflow.skill;

import org.jspecify.annotations.NullMarked;
