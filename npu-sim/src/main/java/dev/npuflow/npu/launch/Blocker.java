package dev.npuflow.npu.launch;

/// Why an ELF does not build: one limit of the hardware or of its tool chain.
///
/// @param limit   which limit, such as `L2_CAPACITY`
/// @param launch  name of the launch, or of the ELF where the limit is the ELF's
/// @param message the text the real tool chain prints, with the figures filled in
/// @param cause   the hardware reason
/// @param remedy  what to do, a whole sentence
public record Blocker(String limit, String launch, String message, String cause, String remedy) {}
