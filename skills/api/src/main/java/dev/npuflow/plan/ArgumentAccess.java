package dev.npuflow.plan;

/// What one run of an ELF does with one argument.
///
/// @param first         the first access by a launch
/// @param written       whether any launch writes any of it
/// @param fullyWritten  whether the launches write every element
/// @param hostElements  elements whose *host* value the run depends on: read, by a launch or by the read-back at the end, before
///                      any launch of the same run wrote them
/// @param reuse         what may be left out of the writes of later calls
/// @param reason        why `reuse` is what it is
public record ArgumentAccess(String argument, FirstAccess first, boolean written, boolean fullyWritten, long hostElements, Reuse reuse,
        String reason) {

    /// Which access comes first in launch order; a launch reads before it writes.
    public enum FirstAccess { NONE, DEVICE_READ, DEVICE_WRITE }

    /// The derived sets (docs/upstream.md, "Faults of buffer objects").
    public enum Reuse {
        /// The host must write it on every call.
        NONE,
        /// The host value is the same in every call of the key, and no launch changes what a launch depends on.
        STATIC,
        /// Every element that is read was written by a launch of the same run.
        INTERMEDIATE,
        /// No launch touches it and the host does not read it back.
        DEAD
    }

    /// Whether an argument that is not written on later calls still has the right bytes.
    public boolean mayStayOnDevice() {
        return reuse != Reuse.NONE;
    }
}
