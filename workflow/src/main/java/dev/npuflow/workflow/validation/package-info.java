/// Holds the simulated time of whole deployments to measured ones.
@NullMarked
package dev.npuflow.workflow.validation;

import org.jspecify.annotations.NullMarked;
