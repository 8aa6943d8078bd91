package dev.npuflow.workflow.control;

import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.model.ModelConfig;
import java.util.List;
import java.util.stream.Stream;

/// The deployments of one model that its gate is tried on.
public final class Controls {

    private Controls() {}

    /// Those that are wrong: copies of the model, and plans on the model itself.
    public static List<Control> wrong(ModelConfig config, Block block, Deployment baseline) {
        return Stream.concat(WrongCopies.of(config).stream(), WrongPlans.of(block, baseline).stream()).toList();
    }
}
