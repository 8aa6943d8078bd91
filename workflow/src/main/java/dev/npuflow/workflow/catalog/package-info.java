/// Skills from outside: found by the service-provider interface, kept from taking the tool down.
@NullMarked
package dev.npuflow.workflow.catalog;

import org.jspecify.annotations.NullMarked;
