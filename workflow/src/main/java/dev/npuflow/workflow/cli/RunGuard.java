package dev.npuflow.workflow.cli;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.fault.Fault;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunStatus;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// Sees to it that a run that did not end by itself does not look as if it had: Ctrl-C and a termination are marked and exit 130 and 143, and a
/// skill that ends the process behind its class loader's back ends as a failure, by its name.
final class RunGuard implements AutoCloseable {

    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicReference<ExitCode> signalled = new AtomicReference<>();
    private final Thread hook;
    private final InterruptNotice notice;

    /// @param run         is marked as interrupted
    /// @param interrupted the line that an interruption is told by
    /// @param doing       what is being done, such as a skill's name and a stage
    RunGuard(FaultOutput output, Ledger ledger, RunId run, String interrupted, Supplier<String> doing) {
        hook = new Thread(() -> {
            if (done.get()) {
                return;
            }
            mark(output, ledger, run);
            ExitCode code = signalled.get();
            if (code == null) {
                Fault fault = Fault.environment("NPF-705", "the process was ended from inside", doing.get(), "a skill that returns",
                        "mending it, or --only with the others");
                output.tell(fault);
                code = fault.exitCode();
            } else {
                output.err().println(interrupted);
            }
            output.out().flush();
            output.err().flush();
            Runtime.getRuntime().halt(code.code());
        }, "run guard");
        Runtime.getRuntime().addShutdownHook(hook);
        notice = new InterruptNotice(code -> signalled.compareAndSet(null, code));
    }

    /// A ledger that is gone or cannot be written is told, and keeps nobody from ending the process.
    private static void mark(FaultOutput output, Ledger ledger, RunId run) {
        try {
            ledger.setStatus(run, RunStatus.INTERRUPTED);
        } catch (NpuflowException unmarked) {
            output.tell(unmarked.fault());
        }
    }

    /// The run ended by itself.
    @Override public void close() {
        if (!done.getAndSet(true) && signalled.get() == null) {
            notice.close();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the process is already ending; the hook sees that we are done
            }
        }
    }
}
