/// The test kit of skills: what every skill is checked for, unasked, and small plans to try it on.
@NullMarked
package dev.npuflow.skill.testkit;

import org.jspecify.annotations.NullMarked;
