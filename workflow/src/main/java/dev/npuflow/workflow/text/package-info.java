/// Text that fits a terminal: lines broken between words, tables whose free text wraps, hashes cut short.
@NullMarked
package dev.npuflow.workflow.text;

import org.jspecify.annotations.NullMarked;
