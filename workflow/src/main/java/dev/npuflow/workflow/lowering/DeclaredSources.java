package dev.npuflow.workflow.lowering;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.model.TensorShapes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Holds where a plan says that its values are from against the model: every tensor that it names is one of the model's, has the rows that it takes, and fills
/// its argument; every host operation has the inputs, outputs and options of its kind, as [HostKind] lists them. What is wrong here would end a run in the middle.
final class DeclaredSources {

    /// Name of the limit that a [Blocker] gives.
    static final String LIMIT = "DECLARED_SOURCE";

    private static final Set<String> LAYOUTS = Set.of("seq_first", "head_first");

    private final ModelConfig model;
    private final Map<String, List<Long>> tensors;
    private final List<Blocker> blockers = new ArrayList<>();

    private DeclaredSources(ModelConfig model) {
        this.model = model;
        this.tensors = TensorShapes.of(model);
    }

    /// What is not so; empty for an honest plan.
    ///
    /// @param model as the plan computes it, widened where it says so
    static List<Blocker> untrue(Deployment plan, ModelConfig model) {
        DeclaredSources sources = new DeclaredSources(model);
        for (Phase phase : Phase.values()) {
            plan.phase(phase).steps().forEach(step -> {
                String place = phase.name().toLowerCase(ROOT) + "/" + step.name();
                switch (step) {
                    case NpuCall call -> call.arguments().forEach(argument -> sources.argument(place + "/" + argument.name(), argument));
                    case HostOp op -> sources.operation(place, op, phase);
                }
            });
        }
        return List.copyOf(sources.blockers);
    }

    private void argument(String place, Argument argument) {
        switch (argument.source()) {
            case Source.Packed packed -> {
                for (int i = 0; i < packed.parts().size(); i++) {
                    source(place, packed.parts().get(i), packed.sizes().get(i), argument.dataType());
                }
            }
            case Source source -> source(place, source, argument.elements(), argument.dataType());
        }
    }

    private void source(String place, Source source, long elements, DataType type) {
        List<Source.Weight> weights = switch (source) {
            case Source.Weight weight -> List.of(weight);
            case Source.InterleavedWeights interleaved -> interleaved.weights();
            case Source.Activation _, Source.LookUpTable _, Source.Scratch _, Source.Packed _ -> List.of();
        };
        if (weights.isEmpty()) {
            if (source instanceof Source.InterleavedWeights) {
                tell(place, "it interleaves no weight");
            }
            return;
        }
        long sum = 0;
        for (Source.Weight weight : weights) {
            Optional<long[]> shape = shape(place, weight.tensor());
            if (shape.isEmpty()) {
                return;
            }
            // Rows that the head does not have are filled up with zeros, for its last part ends with a tile.
            boolean inside = isHead(weight.tensor()) ? weight.firstRow() < shape.get()[0] : (long) weight.firstRow() + weight.rows() <= shape.get()[0];
            if (!inside || weight.rows() != weights.getFirst().rows()) {
                tell(place, format(ROOT, "rows %d to %d of tensor %s, which has %d", weight.firstRow(), (long) weight.firstRow() + weight.rows(), weight.tensor(), shape.get()[0]));
            }
            sum += weight.rows() * shape.get()[1];
        }
        if (sum != elements || type != DataType.BF16) {
            tell(place, format(ROOT, "%d elements of %s from weights that have %d of bf16", elements, type.name().toLowerCase(ROOT), sum));
        }
    }

    /// Rows and columns; those of a vector are one row.
    private Optional<long[]> shape(String place, String tensor) {
        String name = isHead(tensor) && model.tiedHead() ? ModelEnds.EMBEDDING.tensor() : tensor.replace("{layer}", "0");
        Optional<long[]> shape = Optional.ofNullable(tensors.get(name)).map(extents -> new long[] {extents.size() == 1 ? 1 : extents.getFirst(), extents.getLast()});
        if (shape.isEmpty()) {
            tell(place, format(ROOT, "there is no tensor %s in the model", tensor));
        }
        return shape;
    }

    private static boolean isHead(String tensor) {
        return tensor.equals(ModelEnds.HEAD.tensor());
    }

    private void operation(String place, HostOp op, Phase phase) {
        Set<String> inputs = switch (op.kind()) {
            case EMBED -> Set.of("ids", "table");
            case ROPE_TABLE -> Set.of();
            case DECODE_ATTENTION, PREFILL_ATTENTION -> Set.of("query", "key", "value");
            case KV_CACHE_EXTRACT -> Set.of("key", "value");
            case TRANSPOSE, LAST_ROW -> Set.of("in");
            case ADD -> Set.of("a", "b");
            case RMS_NORM -> Set.of("in", "weight");
            case SILU_MUL -> Set.of("gate", "up");
            case ARGMAX -> op.inputs().keySet();
        };
        Map<String, Set<String>> options = switch (op.kind()) {
            case PREFILL_ATTENTION -> Map.of("layout", LAYOUTS);
            case TRANSPOSE -> Map.of("to", LAYOUTS);
            case EMBED, ROPE_TABLE, DECODE_ATTENTION, KV_CACHE_EXTRACT, ADD, RMS_NORM, SILU_MUL, LAST_ROW, ARGMAX -> Map.of();
        };
        boolean ofPhase = switch (op.kind()) {
            case DECODE_ATTENTION -> phase == Phase.DECODE;
            case PREFILL_ATTENTION, KV_CACHE_EXTRACT -> phase == Phase.PREFILL;
            case EMBED, ROPE_TABLE, TRANSPOSE, ADD, RMS_NORM, SILU_MUL, LAST_ROW, ARGMAX -> true;
        };
        if (!ofPhase) {
            // Both attentions give the same values, and each is timed for the queries and keys of its own phase.
            tell(place, format(ROOT, "%s is no operation of this phase", op.kind()));
        }
        same(place, "inputs", inputs, op.inputs().keySet());
        same(place, "outputs", op.kind() == HostKind.KV_CACHE_EXTRACT ? Set.of() : Set.of("out"), op.outputs().keySet());
        op.options().forEach((name, word) -> {
            if (!options.getOrDefault(name, Set.of()).contains(word)) {
                tell(place, format(ROOT, "it has no option %s = %s", name, word));
            }
        });
        if (op.kind() == HostKind.TRANSPOSE) {
            same(place, "options", options.keySet(), op.options().keySet());
        }
        if (op.kind() == HostKind.EMBED && !op.inputs().getOrDefault("ids", "").equals(phase == Phase.DECODE ? "token" : "prompt")) {
            tell(place, format(ROOT, "it embeds the ids %s", op.inputs().get("ids")));
        }
        table(place, op, "table", model.vocabSize(), model.hiddenSize());
        table(place, op, "weight", 1, op.shape().getOrDefault("n", 0));
    }

    private void table(String place, HostOp op, String input, long rows, long columns) {
        Optional<long[]> shape = op.kind() == (input.equals("table") ? HostKind.EMBED : HostKind.RMS_NORM) && op.inputs().containsKey(input)
                ? shape(place, op.inputs().get(input)) : Optional.empty();
        shape.filter(extents -> extents[0] != rows || extents[1] != columns)
                .ifPresent(extents -> tell(place, format(ROOT, "tensor %s is %d × %d, not %d × %d", op.inputs().get(input), extents[0], extents[1], rows, columns)));
    }

    private void same(String place, String what, Set<String> expected, Set<String> given) {
        if (!expected.equals(given)) {
            tell(place, format(ROOT, "its %s are %s, those of its kind %s", what, given, new TreeSet<>(expected)));
        }
    }

    private void tell(String place, String message) {
        blockers.add(new Blocker(LIMIT, place, message, "the run takes its values from there", "Name the model's tensors, and the inputs, outputs and options of the operation's kind."));
    }
}
