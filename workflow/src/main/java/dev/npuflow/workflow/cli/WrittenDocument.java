package dev.npuflow.workflow.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A phase's document where it was written.
///
/// @param file       absolute
/// @param experiment what of the run is not as usual, in the words of its options; empty if nothing is
/// @param aside      whether the model has documents in the tree that were left as they are
record WrittenDocument(Path file, List<String> experiment, boolean aside) {

    WrittenDocument {
        experiment = List.copyOf(experiment);
    }

    /// From the working directory on, where it is below.
    String path() {
        return path(file);
    }

    /// An absolute path, from the working directory on where it is below.
    static String path(Path file) {
        Path here = Path.of("").toAbsolutePath();
        return (file.startsWith(here) ? here.relativize(file) : file).toString();
    }

    /// Why it is not where the documents of the model are.
    Optional<String> remark() {
        return aside ? Optional.of("an experiment (%s): the documents of the tree stay as they are".formatted(String.join(", ", experiment))) : Optional.empty();
    }
}
