package dev.npuflow.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {

    private static final List<String> KNOWN = List.of("prompts", "phase_prompts", "gemv", "gemm");

    /// A letter left out, put in, exchanged, two exchanged with each other, other case.
    @ParameterizedTest @CsvSource({"pompts, prompts", "promptss, prompts", "prumpts, prompts", "porpmts, prompts", "GEMM, gemm", "phaseprompts, phase_prompts"})
    void a_slip_finds_its_name(String mistyped, String meant) {
        assertEquals(Optional.of(meant), NearestName.of(mistyped, KNOWN));
    }

    @Test void a_name_that_is_longer_than_any_of_ours_is_not_compared() {
        assertEquals(Optional.empty(), NearestName.of("p".repeat(100_000), KNOWN));
    }

    @Test void of_two_that_are_as_near_the_first_is_taken() {
        assertEquals(Optional.of("gemv"), NearestName.of("gem", KNOWN));
    }

    @Test void a_near_name_is_not_lost_to_a_shorter_one_that_is_too_far() {
        assertEquals(Optional.of("off"), NearestName.of("of", List.of("on", "off")));
    }

    @Test void of_two_that_are_as_near_the_one_with_the_letters_that_were_typed_is_taken() {
        assertEquals(Optional.of("gemv"), NearestName.of("gevm", List.of("gemm", "gemv")));
        assertEquals(Optional.of("gemm"), NearestName.of("gevm", List.of("gemm", "gemmv")));
    }

    @Test void a_third_of_the_letters_may_differ_and_not_more() {
        assertEquals(Optional.of("prompts"), NearestName.of("prxxpts", KNOWN));
        assertEquals(Optional.empty(), NearestName.of("prxxxts", KNOWN));
        assertEquals(Optional.empty(), NearestName.of("temperature", KNOWN));
        assertEquals(Optional.empty(), NearestName.of("", KNOWN));
    }
}
