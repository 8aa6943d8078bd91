package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.fault.NpuflowException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class MinimumGainTest {

    @ParameterizedTest @CsvSource({"0.1%, 0.001", "5%, 0.05", "0%, 0", "99.9%, 0.999"})
    void a_percentage_with_its_sign_is_a_share(String given, double share) {
        assertEquals(share, parsed("--min-gain", given).rule().minimumGain(), 1e-12);
    }

    @ParameterizedTest @ValueSource(strings = {"0.1", "-1%", "100%", "1e-3%", "NaN%", "%", " 5%", "٥%"})
    void anything_else_is_refused(String given) {
        assertEquals("NPF-840", assertThrows(NpuflowException.class, () -> parsed("--min-gain=" + given).rule()).id());
    }

    @Test void a_tenth_of_a_percent_counts_where_nobody_says() {
        assertEquals(0.001, parsed().rule().minimumGain());
    }

    private static MinimumGain parsed(String... arguments) {
        MinimumGain gain = new MinimumGain();
        CommandSpec spec = CommandSpec.create().addMixin("gain", CommandSpec.forAnnotatedObject(gain));
        new CommandLine(spec).parseArgs(arguments);
        return gain;
    }
}
