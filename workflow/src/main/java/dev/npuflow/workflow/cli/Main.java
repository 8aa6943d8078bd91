package dev.npuflow.workflow.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/// The entry that `bin/npuflow` starts.
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        PrintWriter out = writer(FileDescriptor.out);
        PrintWriter err = writer(FileDescriptor.err);
        // What a skill prints must not stand within a command's JSON.
        System.setOut(System.err);
        int code;
        try (InterruptNotice notice = new InterruptNotice(err, "interrupted")) {
            code = NpuflowCommand.commandLine().setOut(out).setErr(err).execute(arguments);
        }
        out.flush();
        err.flush();
        System.exit(code);
    }

    /// UTF-8 whatever the locale: documents and tables hold box characters.
    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
