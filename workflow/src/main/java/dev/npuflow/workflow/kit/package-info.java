/// What `npuflow skills check` takes of a directory or jar, and the test kit that it runs on it. The kit stands beside the product, in `lib/testkit`.
@NullMarked
package dev.npuflow.workflow.kit;

import org.jspecify.annotations.NullMarked;
