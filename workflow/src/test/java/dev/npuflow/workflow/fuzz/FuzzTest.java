package dev.npuflow.workflow.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.fuzz.Fuzzer.Find;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// 20,000 damaged inputs, the same each time. `src/test/soak/fuzz.sh` reads others, as many as one likes.
class FuzzTest {

    private static final long SEED = 1;

    @TempDir private Path place;
    private List<Subject> subjects;

    @BeforeEach void find_the_subjects() throws IOException {
        subjects = Subjects.all(place);
    }

    @Test void a_damaged_input_is_read_or_refused_in_one_line_whatever_was_done_to_it() {
        List<Find> finds = new ArrayList<>();
        long read = 0;
        for (Subject subject : subjects) {
            long refused = new Fuzzer(subject, finds::add).run(SEED, LongStream.range(0, subject.share()));
            read += subject.share();
            boolean refuses = !List.of("skill-jar", "caches").contains(subject.name());
            assertTrue(refuses ? refused > subject.share() / 10 && refused < subject.share() : refused == 0, () -> "%s: %d refused".formatted(subject.name(), refused));
        }
        assertEquals("", finds.stream().map(Find::toString).collect(Collectors.joining(System.lineSeparator())));
        assertTrue(read >= 20_000, read + " inputs");
    }

    @Test void the_good_examples_are_read() throws IOException {
        for (Subject subject : subjects) {
            for (byte[] seed : subject.seeds()) {
                subject.reader().read(seed);
            }
        }
    }

    @Test void an_input_is_had_again_by_its_subject_seed_and_number() {
        for (Subject subject : subjects) {
            Subject.Input input = subject.input(7, 42);
            assertEquals(new String(input.bytes(), StandardCharsets.ISO_8859_1), new String(subject.input(7, 42).bytes(), StandardCharsets.ISO_8859_1));
            assertEquals("src/test/soak/fuzz.sh --subject %s --seed 7 --input 42".formatted(subject.name()), input.again());
            long different = LongStream.range(0, 50).mapToObj(number -> new String(subject.input(7, number).bytes(), StandardCharsets.ISO_8859_1)).distinct().count();
            assertTrue(different > 40, () -> "%s: %d of 50 inputs differ".formatted(subject.name(), different));
        }
    }
}
