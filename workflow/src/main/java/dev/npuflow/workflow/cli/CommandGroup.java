package dev.npuflow.workflow.cli;

/// A command of the root that has a package of its own, such as `npuflow sim`. `META-INF/services` lists them, in the order of the help: a group knows what the
/// commands share, and the root knows no group.
public interface CommandGroup {}
