package dev.npuflow.workflow.model;

import java.lang.foreign.MemorySegment;

/// A bf16 tensor: `rows` × `columns`, row-major; a vector has one row.
///
/// @param data read-only, exactly rows · columns · 2 bytes, little-endian; a file may place it at any address, so read it
///             with unaligned layouts
public record Tensor(String name, int rows, int columns, MemorySegment data) {}
