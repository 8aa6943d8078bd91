package dev.npuflow.workflow.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;

/// Remembers the first failure of a stream, since a `PrintWriter` over it tells only that there was one.
final class CheckedOutput extends FilterOutputStream {

    private Optional<IOException> failure = Optional.empty();

    CheckedOutput(OutputStream to) {
        super(to);
    }

    @Override public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override public void write(byte[] bytes, int from, int count) throws IOException {
        try {
            out.write(bytes, from, count);
        } catch (IOException e) {
            failure = failure.or(() -> Optional.of(e));
            throw e;
        }
    }

    /// What was lost and why; nothing if a reader such as `head` had enough and closed its end.
    Optional<IOException> loss() {
        return failure.filter(thrown -> !String.valueOf(thrown.getMessage()).toLowerCase(Locale.ROOT).contains("broken pipe"));
    }
}
