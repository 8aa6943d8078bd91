package dev.npuflow.workflow.cli;

import java.util.List;

/// A command of the root that has a package of its own, such as `npuflow sim`. `META-INF/services` lists them, in the order of the help: a group knows what the
/// commands share, and the root knows no group.
public interface CommandGroup {

    /// Commands below it that it finds itself, as picocli takes them; those that it knows stand in its annotation.
    default List<Object> subcommands() {
        return List.of();
    }
}
