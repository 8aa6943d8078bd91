package dev.npuflow.workflow.model;

import java.lang.foreign.MemorySegment;

/// A bf16 tensor: `rows` × `columns`, row-major; a vector has one row.
///
/// @param data read-only, exactly rows · columns · 2 bytes, little-endian
public record Tensor(String name, int rows, int columns, MemorySegment data) {}
