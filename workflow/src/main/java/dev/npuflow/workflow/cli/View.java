package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.text.TextOutput;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// One result in the two forms that a command may be asked for; only the one that was asked for is made.
///
/// @param text writes it for people
/// @param json gives it for programs: what [JsonOutput] takes
public record View(Consumer<TextOutput> text, Supplier<?> json) {}
