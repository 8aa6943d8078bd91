package dev.npuflow.npu.aie.flow;

import dev.npuflow.npu.launch.LaunchDescription;

/// What the array is configured for: a launch, or a part of one, and how data flows while it runs.
public record Configuration(LaunchDescription launch, Flow flow) {}
