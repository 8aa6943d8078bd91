package dev.npuflow.workflow.cli;

import java.lang.reflect.InvocationTargetException;

/// The Vector API's module, added to a JVM that has already booted.
///
/// With `--add-modules` the JVM writes a warning to standard error on every start, before any code of ours runs, and has no option
/// against it. A module that is added later is not announced. The JDK adds modules later itself: the VM loads `java.instrument` by
/// the method below when an agent is attached. `bin/npuflow` opens that method to us with `--add-exports`.
public final class VectorModule {

    private static final String NAME = "jdk.incubator.vector";

    private VectorModule() {}

    /// Loads the module where the launcher asked for it and the JDK can do so. Where not, the JVM goes on without it, and the reference says
    /// that it is slow and which option helps.
    public static void load() {
        try {
            Class.forName("jdk.internal.module.Modules").getMethod("loadModule", String.class).invoke(null, NAME);
        } catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException | InvocationTargetException _) {
            return;
        }
    }
}
