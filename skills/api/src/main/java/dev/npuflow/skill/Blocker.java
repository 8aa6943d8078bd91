package dev.npuflow.skill;

/// Why a call does not compile.
///
/// @param limit   stable name of the limit, such as `L2_CAPACITY`
/// @param launch  name of the launch, or of the call where the limit is the ELF's
/// @param message the text the real tool chain prints, with the figures filled in
/// @param cause   the hardware reason
/// @param remedy  what to do, a whole sentence
public record Blocker(String limit, String launch, String message, String cause, String remedy) {}
