package dev.npuflow.workflow.cli;

import dev.npuflow.fault.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;

/// The entry that `bin/npuflow` starts.
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        // Digits are 0 to 9 in plans, documents and JSON, whatever the user's language: with Arabic digits a plan would be another plan.
        Locale.setDefault(Locale.ROOT);
        VectorModule.load();
        byte[] withoutMemory = (NpuflowCommand.withoutMemory("no room").line() + "\n").getBytes(StandardCharsets.UTF_8);
        CheckedOutput output = new CheckedOutput(new FileOutputStream(FileDescriptor.out));
        PrintWriter out = writer(output);
        PrintWriter err = writer(new FileOutputStream(FileDescriptor.err));
        // What a skill prints must not stand within a command's JSON, and a skill that closes the stream must not close it for npuflow.
        PrintStream prints = new PrintStream(System.err, true, System.err.charset()) {
            @Override public void close() {
                flush();
            }
        };
        System.setErr(prints);
        System.setOut(prints);
        int code = -1;
        try (InterruptNotice notice = new InterruptNotice(err, "interrupted")) {
            CommandLine command = NpuflowCommand.commandLine().setOut(out).setErr(err);
            Terminal.fit(command);
            code = command.execute(arguments);
            out.flush();
            // An answer that did not arrive whole must not pass for one that did.
            Optional<IOException> loss = output.loss();
            loss.ifPresent(failure -> err.println(NpuflowCommand.fault("standard output", failure).line()));
            err.flush();
            code = loss.isPresent() && code == 0 ? ExitCode.ENVIRONMENT.code() : code;
        } catch (OutOfMemoryError full) {
            // The memory that was missing may be missing here too, even for the JVM's own end: what is said was made before, and nothing else runs.
            if (code != ExitCode.ENVIRONMENT.code()) {
                System.err.write(withoutMemory, 0, withoutMemory.length);
            }
            Runtime.getRuntime().halt(ExitCode.ENVIRONMENT.code());
        }
        System.exit(code);
    }

    /// UTF-8 whatever the locale: documents and tables hold box characters.
    private static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }
}
