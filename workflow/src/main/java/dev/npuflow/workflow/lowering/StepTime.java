package dev.npuflow.workflow.lowering;

/// One recorded event of a profile: one NPU call or one host operation, of one layer (or −1) in one pass over the model.
///
/// @param pass     0 for the prefill; in decode the index of the token, from 0
/// @param write    picoseconds of buffer-object writes
/// @param run      picoseconds from start to wait; of a host operation, all of it
/// @param read     picoseconds of buffer-object reads
public record StepTime(String name, Kind kind, Section section, int layer, int pass, long write, long run, long read,
        long bytesWritten, int buffersWritten, int buffersRead) {

    /// Who did the work.
    public enum Kind { NPU, HOST }

    /// Which part of the phase plan the step stands in.
    public enum Section { PROLOGUE, LAYER, EPILOGUE }

    /// Picoseconds in all.
    public long total() {
        return write + run + read;
    }
}
