package dev.npuflow.plan;

/// Flags of a whole ELF.
///
/// @param pingPong   double-buffer L1 and L2 (upstream's flag is the inverse, `omit_pingpong`)
/// @param loopTiling requested runtime loop tiling; the largest divisor of the trip count up to it is used
public record ElfOptions(boolean pingPong, int loopTiling) {

    public ElfOptions {
        if (loopTiling < 1) {
            throw new IllegalArgumentException("loop tiling %d".formatted(loopTiling));
        }
    }
}
