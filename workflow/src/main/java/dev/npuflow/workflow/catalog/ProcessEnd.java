package dev.npuflow.workflow.catalog;

/// What a skill's call of `System.exit`, `Runtime.exit` or `Runtime.halt` throws instead: [SkillClassLoader] puts the methods here in their place.
public final class ProcessEnd extends Error {

    private static final long serialVersionUID = 1L;

    private ProcessEnd(String call, int code) {
        super("%s(%d)".formatted(call, code));
    }

    public static void exit(int code) {
        throw new ProcessEnd("System.exit", code);
    }

    public static void exit(Runtime runtime, int code) {
        throw new ProcessEnd("Runtime.exit", code);
    }

    public static void halt(Runtime runtime, int code) {
        throw new ProcessEnd("Runtime.halt", code);
    }
}
