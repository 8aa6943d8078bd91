package dev.npuflow.workflow.family;

import dev.npuflow.workflow.block.Block;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/// All that npuflow has to be told about a family. A new one is a value of this record in a file of its own, and a line in the list of architectures.
///
/// @param className     name in `architectures` of config.json
/// @param modelType     `model_type` there
/// @param defaults      what its class takes for fields that config.json leaves out
/// @param refused       switches of config.json that it cannot be run with, and what each would bring
/// @param upstreamHead  how mlir-air's driver divides the LM head
/// @param block         what a layer is made of, given whether config.json sets the switch of a name
public record Family(String className, String modelType, ClassDefaults defaults, Map<String, String> refused, UpstreamHead upstreamHead,
        Function<Predicate<String>, Block> block) {

    public Family {
        refused = Map.copyOf(refused);
    }
}
