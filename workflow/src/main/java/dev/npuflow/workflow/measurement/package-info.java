/// What a deployment is measured on, and what was measured.
@NullMarked
package dev.npuflow.workflow.measurement;

import org.jspecify.annotations.NullMarked;
