package dev.npuflow.npu.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.aie.AieDevice;
import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.device.DeviceFile;
import dev.npuflow.npu.device.Quantity;
import dev.npuflow.npu.device.Trait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DevicesTest {

    @TempDir Path folder;

    @Test void npu2_has_eight_columns_of_four_cores() {
        AieHardware device = hardware(Devices.load("npu2", List.of()));
        assertEquals(8, device.array().columns());
        assertEquals(4, device.array().coreRows());
        assertEquals(65_536, device.array().coreMemoryBytes());
    }

    @Test void npu1_has_four_columns() {
        assertEquals(4, hardware(Devices.load("npu1", List.of())).array().columns());
    }

    @Test void an_override_changes_one_number_and_nothing_else() {
        DeviceDescription plain = Devices.load("npu2", List.of());
        DeviceDescription slow = Devices.load("npu2", List.of("dram.read_gbps=20"));
        assertEquals(20e9, hardware(slow).dram().readRate());
        assertEquals(hardware(plain).dram().writeRate(), hardware(slow).dram().writeRate());
        assertEquals(plain.host(), slow.host());
    }

    @Test void every_calibrated_number_says_against_what() {
        for (String name : List.of("npu1", "npu2")) {
            Devices.read(name).quantities().forEach((path, quantity) -> assertTrue(!quantity.calibrated() || !quantity.origin().isBlank(), path));
        }
    }

    @Test void a_device_has_at_most_25_calibrated_parameters_and_6_host_constants() {
        long all = Devices.read("npu2").quantities().values().stream().filter(Quantity::calibrated).count();
        long host = Devices.read("npu2").quantities().entrySet().stream().filter(e -> e.getKey().startsWith("host.") && e.getValue().calibrated())
                .count();
        assertTrue(host <= 6, host + " host constants");
        assertTrue(all - host <= 25, all - host + " device parameters");
    }

    @Test void a_device_says_of_every_trait_whether_it_has_it_and_from_where_that_is_known() {
        for (String name : List.of("npu1", "npu2")) {
            assertEquals(EnumSet.allOf(Trait.class), Devices.load(name, List.of()).traits());
            List.of(Trait.values()).forEach(trait -> assertFalse(Devices.read(name).quantities().get(trait.field()).origin().isBlank(), trait::field));
        }
        assertEquals(EnumSet.complementOf(EnumSet.of(Trait.COHERENT_MEMORY)), Devices.load("npu2", List.of("traits.coherent_memory=0")).traits());
    }

    @Test void a_trait_that_is_left_out_or_neither_0_nor_1_is_refused() throws IOException {
        assertFault("NPF-305", "field traits.device_barrier is missing", "device_barrier:", "# device_barrier:");
        assertFault("NPF-306", "traits.device_barrier (2): expected a number from 0 to 1", "device_barrier: {value: 1", "device_barrier: {value: 2");
        assertFault("NPF-306", "traits.device_barrier (0.5): expected a whole number", "device_barrier: {value: 1", "device_barrier: {value: 0.5");
        assertFault("NPF-303", "traits.device_bariers is unknown", "device_barrier:", "device_bariers: 1\n  device_barrier:");
    }

    @Test void errors_name_file_field_value_and_expectation() throws IOException {
        assertFault("NPF-306", "array.columns (0): expected a number from 1 to 128", "columns: 8 ", "columns: 0 ");
        assertFault("NPF-306", "dram.packet_bytes (-5): expected a number from 64", "packet_bytes: 4096", "packet_bytes: -5");
        assertFault("NPF-302", "clock.array_mhz (fast): expected a finite number", "{value: 1800,", "{value: fast,");
        assertFault("NPF-302", "clock.array_mhz (1,8): expected a finite number", "{value: 1800,", "{value: \"1,8\",");
        assertFault("NPF-303", "field array.colours is unknown", "columns: 8 ", "columns: 8\n  colours: 3 ");
        assertFault("NPF-303", "clock.array_mhz.unit is unknown", "{value: 1800,", "{value: 1800, unit: 3,");
        assertFault("NPF-305", "field array.core_rows is missing", "core_rows: 4 ", "# ");
        assertFault("NPF-301", "mine.yaml: no YAML, or a field twice, line ", "device: npu2", "device: [");
        assertFault("NPF-301", "field device is missing", "device: npu2", "# ");
    }

    @Test void a_calibrated_number_outside_its_plausible_range_is_refused() throws IOException {
        String text = resource().replaceFirst("read_gbps: \\{value: [0-9.]+", "read_gbps: {value: 500");
        assertTrue(assertThrows(NpuflowException.class, () -> DeviceFile.parse("mine.yaml", text)).getMessage()
                .matches("NPF-304 mine.yaml line \\d+: field dram.read_gbps.*"));
    }

    @Test void a_file_as_it_ships_loads_from_a_path() throws IOException {
        Path file = Files.writeString(folder.resolve("mine.yaml"), resource());
        assertEquals(Devices.load("npu2", List.of()), Devices.load(file.toString(), List.of()));
    }

    @Test void unknown_devices_and_overrides_are_refused() {
        assertEquals("NPF-300", assertThrows(NpuflowException.class, () -> Devices.load("npu9", List.of())).id());
        assertEquals("NPF-300", assertThrows(NpuflowException.class, () -> Devices.load(folder.resolve("no.yaml").toString(), List.of())).id());
        assertEquals("NPF-303", assertThrows(NpuflowException.class, () -> Devices.load("npu2", List.of("dram.reed_gbps=4"))).id());
        assertEquals("NPF-302", assertThrows(NpuflowException.class, () -> Devices.load("npu2", List.of("dram.read_gbps=4,5"))).id());
        assertEquals("NPF-306", assertThrows(NpuflowException.class, () -> Devices.load("npu2", List.of("dram.read_gbps=-4"))).id());
    }

    @ParameterizedTest @ValueSource(strings = {"", " ", "=", "=3", "dram.read_gbps", "dram.read_gbps="}) void what_is_no_assignment_is_told_so(String override) {
        assertEquals("NPF-307 --set (%s): expected field=value; try --set dram.read_gbps=40".formatted(override),
                assertThrows(NpuflowException.class, () -> Devices.load("npu2", List.of(override))).getMessage());
    }

    @Test void a_fault_names_the_line_of_its_field() throws IOException {
        assertFault("NPF-306", "mine.yaml line 6: field array.columns (0)", "columns: 8 ", "columns: 0 ");
        assertFault("NPF-303", "mine.yaml line 7: field array.colours is unknown", "columns: 8 ", "columns: 8\n  colours: 3 ");
        assertFault("NPF-302", "mine.yaml line 27: field clock.array_mhz (fast)", "{value: 1800,", "{value: fast,");
        assertFault("NPF-308", "mine.yaml line 3: field kind (gpu): expected one of aie", "kind: aie", "kind: gpu");
        assertFault("NPF-301", "mine.yaml: field kind is missing: expected a word under kind:; try kind: aie", "kind: aie", "# ");
    }

    private static AieHardware hardware(DeviceDescription device) {
        return AieDevice.of(device).hardware();
    }

    private void assertFault(String id, String part, String old, String changed) throws IOException {
        String text = resource();
        assertTrue(text.contains(old), old);
        Path file = Files.writeString(folder.resolve("mine.yaml"), text.replace(old, changed));
        NpuflowException fault = assertThrows(NpuflowException.class, () -> Devices.load(file.toString(), List.of()));
        assertEquals(id, fault.id(), fault.getMessage());
        assertTrue(fault.getMessage().contains(part), fault.getMessage());
        assertTrue(fault.getMessage().contains("mine.yaml"), fault.getMessage());
        assertTrue(!fault.getMessage().contains("\n"), fault.getMessage());
    }

    private static String resource() throws IOException {
        try (var stream = Devices.class.getResourceAsStream("/devices/npu2.yaml")) {
            return new String(stream.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
    }
}
