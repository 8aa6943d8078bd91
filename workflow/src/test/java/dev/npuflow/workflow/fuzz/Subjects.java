package dev.npuflow.workflow.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Everything of a stranger's that npuflow reads.
final class Subjects {

    private Subjects() {}

    /// @param place where they keep their files
    static List<Subject> all(Path place) throws IOException {
        return Stream.of(new ModelSubjects(place).all(), new FileSubjects(place).all()).flatMap(List::stream).toList();
    }
}
