package dev.npuflow.npu.calibration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.aie.AieDevice;
import dev.npuflow.npu.device.DeviceFile;
import dev.npuflow.npu.device.DeviceFileText;
import dev.npuflow.npu.machine.Devices;
import java.util.List;
import org.junit.jupiter.api.Test;

class CalibrationTest {

    private static final DeviceFile NPU2 = Devices.read("npu2");

    private static Observation observation(String id, double measured, double perReadRate) {
        return new Observation(id, "family", id, measured, 0.08, device -> device.host().roundTrip() / 1e6 + perReadRate / AieDevice.of(device).hardware().dram().readRate());
    }

    @Test void a_fit_finds_the_numbers_that_made_the_rows() {
        List<Observation> rows = List.of(observation("a", 60 + 1e12 / 50e9, 1e12), observation("b", 60 + 4e12 / 50e9, 4e12),
                observation("c", 60 + 1e13 / 50e9, 1e13));
        Calibration.Result result = new Calibration(NPU2, rows, List.of("dram.read_gbps", "host.round_trip_us")).fit(20);
        assertEquals(50, result.fitted().get("dram.read_gbps").after(), 0.1);
        assertEquals(60, result.fitted().get("host.round_trip_us").after(), 0.2);
        result.errors().forEach((id, error) -> assertEquals(0, error, 1e-3, id));
    }

    @Test void a_fit_stays_inside_the_plausible_range() {
        Calibration.Result result = new Calibration(NPU2, List.of(observation("a", 1e12 / 500e9, 1e12)), List.of("dram.read_gbps")).fit(20);
        assertEquals(NPU2.quantities().get("dram.read_gbps").high(), result.fitted().get("dram.read_gbps").after(), 1e-6);
    }

    @Test void only_numbers_that_move_a_row_are_fitted() {
        assertEquals(List.of("dram.read_gbps", "host.round_trip_us"), Calibration.touched(NPU2, List.of(observation("a", 100, 1e12))));
    }

    @Test void a_written_device_file_reads_back_as_the_same_device() {
        DeviceFile again = DeviceFile.parse("again.yaml", DeviceFileText.of(NPU2));
        assertEquals(Devices.describe(NPU2), Devices.describe(again));
        again.quantities().forEach((path, quantity) -> assertTrue(quantity.calibrated() == NPU2.quantities().get(path).calibrated(), path));
    }
}
