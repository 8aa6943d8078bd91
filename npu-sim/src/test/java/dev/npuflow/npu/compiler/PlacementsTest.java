package dev.npuflow.npu.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.launch.Blocker;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class PlacementsTest {

    @ParameterizedTest
    @CsvFileSource(resources = "/compiler/placements.csv", useHeadersInDisplayName = true)
    void what_placed_on_silicon_places_and_what_did_not_is_refused_by_name(String id, String kernel, int placed, int pingPong, int tiling,
            int columns, int rows, String shape, String tile, String remark) {
        List<Blocker> blockers = new Elf().launch(kernel, "symbol", shape, tile == null ? "" : tile, columns, rows).pingPong(pingPong == 1)
                .tiling(tiling).blockers();
        if (placed == 1) {
            assertEquals(List.of(), blockers, id);
        } else {
            assertEquals(List.of(limit(remark)), blockers.stream().map(Blocker::limit).distinct().toList(), id);
        }
    }

    private static String limit(String remark) {
        if (remark.contains("L1 overflow")) {
            return "L1_CAPACITY";
        }
        assertTrue(remark.contains("shim DMA") || remark.contains("BD allocator"), remark);
        return remark.contains("shim DMA") ? "SHIM_CHANNELS" : "BUFFER_DESCRIPTORS";
    }
}
