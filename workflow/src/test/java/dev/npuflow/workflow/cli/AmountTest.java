package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountTest {

    @ParameterizedTest @CsvSource(delimiter = '|', value = {"0|0 bytes", "999|999 bytes", "1000|1.0 kB", "9949|9.9 kB", "9950|10 kB", "999499|999 kB", "999500|1.0 MB",
            "2471628800|2.5 GB", "16060522496|16 GB", "9223372036854775807|9.2 EB"})
    void bytes_have_two_digits_and_a_unit(long bytes, String shown) {
        assertEquals(shown, Amount.bytes(bytes));
    }

    @ParameterizedTest @CsvSource(delimiter = '|', value = {"7|7", "1024|1,024", "1235814400|1,235,814,400"})
    void counts_have_their_thousands_apart(long number, String shown) {
        assertEquals(shown, Amount.count(number));
    }
}
