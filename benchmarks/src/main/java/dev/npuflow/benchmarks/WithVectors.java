package dev.npuflow.benchmarks;

import dev.npuflow.workflow.cli.VectorModule;
import java.util.Arrays;

/// Starts another class as `bin/npuflow` starts a command: the Vector API's module comes after the boot, so that the JVM does not announce it (ADR 12).
///
///     java --add-exports java.base/jdk.internal.module=ALL-UNNAMED … WithVectors <class with a main> [its arguments]
public final class WithVectors {

    private WithVectors() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        VectorModule.load();
        Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    }
}
