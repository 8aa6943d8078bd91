package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.lowering.RunObserver;

/// Opens an engine that interprets a plan while somebody watches.
@FunctionalInterface
public interface PlanRunner {

    DeploymentRun open(Deployment deployment, RunObserver observer);
}
