package dev.npuflow.npu.aie.measured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.aie.measured.FamilyErrors.Scored;
import dev.npuflow.npu.aie.measured.SimplerModels.Work;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import java.util.List;
import org.junit.jupiter.api.Test;

class FamilyErrorsTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());

    private static Scored row(String id, double error, double microseconds, double bytes) {
        return new Scored(id, error, new Work(bytes, 0, microseconds));
    }

    @Test void errors_count_by_their_size_in_either_direction() {
        FamilyErrors errors = FamilyErrors.of("f", List.of(row("a", 0.01, 1, 1), row("b", -0.07, 1, 1), row("c", 0.04, 1, 1), row("d", 0.02, 1, 1)), NPU2);
        assertEquals(0.035, errors.mean(), 1e-12);
        assertEquals(0.03, errors.median(), 1e-12);
        assertEquals(0.07, errors.worst(), 1e-12);
        assertEquals("b", errors.worstRow());
    }

    @Test void rows_of_one_line_are_explained_by_a_line_and_not_by_the_roofline() {
        FamilyErrors errors = FamilyErrors.of("f", List.of(row("a", 0, 10e3, 2e6), row("b", 0, 30e3, 6e6), row("c", 0, 20e3, 4e6)), NPU2);
        assertEquals(0, errors.affineMean(), 1e-9);
        assertTrue(errors.rooflineMean() > 0.5);
    }
}
