package dev.npuflow.npu.trace;

/// A component was busy.
///
/// @param correlation of the XRT call and launch it belongs to, such as `call 3/launch 1`; empty for none
public record Span(String process, String track, String name, long startPicoseconds, long endPicoseconds, long bytes, String correlation) {}
