package dev.npuflow.workflow.reference;

/// Room for two rows times two positions.
///
/// @param results   row 0 position 0, row 0 position 1, row 1 position 0, row 1 position 1
/// @param lanes     for a provider's own use
/// @param moreLanes likewise
record Tile(float[] results, float[] lanes, float[] moreLanes) {

    static Tile empty() {
        return new Tile(new float[4], new float[64], new float[64]);
    }
}
