package dev.npuflow.workflow.lowering;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.model.LanguageModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Holds what a plan declares against the model and against what runs. A host operation takes the time of its declared extents while it computes the values that
/// there are, so an extent that is not true is a time that is not true: one of −600 heads made a token faster than nothing at all.
///
/// Sizes are followed from step to step: the model gives the embedding's, an argument that is read back gives a value's, and each host operation must say as
/// much as it reads. That a call's argument has its value's size is held when it is filled (NPF-243). A model that a plan describes otherwise, such as with fewer padded positions, is another model: the plan could not do what the baseline can.
public final class DeclaredExtents {

    /// Name of the limit that a [Blocker] gives.
    static final String LIMIT = "DECLARED_EXTENT";

    private static final String POSITIONS = "positions";
    private static final String N = "n";
    private static final String HEADS = "heads";
    private static final String KEY_VALUE_HEADS = "key_value_heads";
    private static final String HEAD_DIM = "head_dim";
    private static final String ROWS = "rows";
    private static final String ROTARY_DIM = "rotary_dim";
    private static final String EPSILON = "epsilon";

    private final ModelShape model;
    private final List<Blocker> blockers = new ArrayList<>();

    private DeclaredExtents(ModelShape model) {
        this.model = model;
    }

    /// What is not true; empty for an honest plan.
    ///
    /// @param model what the opened model is, by [DeviceLowering#shapeOf]
    public static List<Blocker> untrue(Deployment plan, ModelShape model) {
        DeclaredExtents extents = new DeclaredExtents(model);
        if (!plan.model().equals(model)) {
            extents.tell("plan", format(ROOT, "it is for another model (%s), not for the one that is opened (%s)", plan.model(), model));
        } else {
            for (Phase phase : Phase.values()) {
                extents.phase(phase, plan.phase(phase));
            }
        }
        return List.copyOf(extents.blockers);
    }

    /// The same, and that the plan's values are from where it can have them.
    ///
    /// @param shape what the opened model is for plans
    public static List<Blocker> untrue(Deployment plan, ModelShape shape, LanguageModel opened) {
        List<Blocker> extents = untrue(plan, shape);
        return extents.isEmpty() ? DeclaredSources.untrue(plan, PaddedModel.of(opened, plan.model()).config()) : extents;
    }

    private void phase(Phase phase, PhasePlan plan) {
        Map<String, Long> sizes = new HashMap<>();
        int positions = phase == Phase.PREFILL ? model.paddedPrefill() : 1;
        steps(plan).forEach(step -> {
            String place = phase.name().toLowerCase(ROOT) + "/" + step.name();
            switch (step) {
                case NpuCall call -> call(place, call, positions, sizes);
                case HostOp op -> new Host(place, op, positions, sizes).check();
            }
        });
        long argmaxes = plan.epilogue().stream().filter(step -> step instanceof HostOp op && op.kind() == HostKind.ARGMAX).count();
        if (argmaxes != 1) {
            tell(phase.name().toLowerCase(ROOT), format(ROOT, "%d argmax operations instead of 1 behind the last layer", argmaxes));
        }
    }

    /// A layer's steps twice: what a layer leaves, the next one reads.
    private static Stream<Step> steps(PhasePlan plan) {
        return Stream.of(plan.prologue(), plan.layer(), plan.layer(), plan.epilogue()).flatMap(List::stream);
    }

    private void call(String place, NpuCall call, int positions, Map<String, Long> sizes) {
        for (Launch launch : call.launches()) {
            launch(place + "/" + launch.name(), launch, positions);
        }
        call.arguments().stream().filter(Argument::readBack).forEach(argument -> value(argument.source()).ifPresent(value -> sizes.put(value, argument.elements())));
    }

    private static Optional<String> value(Source source) {
        return switch (source) {
            case Source.Activation(String value) -> Optional.of(value);
            case Source.LookUpTable(String value) -> Optional.of(value);
            case Source.Weight _, Source.InterleavedWeights _, Source.Scratch _, Source.Packed _ -> Optional.empty();
        };
    }

    private void launch(String place, Launch launch, int positions) {
        int declared = launch.shape().getOrDefault(POSITIONS, positions);
        if (declared != positions) {
            tell(place, format(ROOT, "positions is %d, the phase computes %d", declared, positions));
        }
        launch.shape().forEach((name, extent) -> {
            if (extent < 1) {
                tell(place, format(ROOT, "%s is %d", name, extent));
            }
        });
        if (launch.constants().containsKey(EPSILON) && launch.constants().get(EPSILON).floatValue() != (float) model.rmsNormEpsilon()) {
            tell(place, format(ROOT, "epsilon is %s, the model's is %s", launch.constants().get(EPSILON), model.rmsNormEpsilon()));
        }
    }

    private void tell(String place, String message) {
        Blocker blocker = new Blocker(LIMIT, place, message, "a time is that of the declared extents, the values are those of the model",
                "Declare the extents of the model and of the values that the step reads.");
        if (!blockers.contains(blocker)) {
            blockers.add(blocker);
        }
    }

    /// One host operation: which keys it must have, and what they must be.
    private final class Host {

        private final String place;
        private final HostOp op;
        private final int positions;
        private final Map<String, Long> sizes;
        private final Set<String> seen = new HashSet<>();

        Host(String place, HostOp op, int positions, Map<String, Long> sizes) {
            this.place = place;
            this.op = op;
            this.positions = positions;
            this.sizes = sizes;
        }

        void check() {
            switch (op.kind()) {
                case EMBED -> {
                    is(POSITIONS, positions);
                    is(N, model.hiddenSize());
                    makes((long) positions * model.hiddenSize());
                }
                case ROPE_TABLE -> {
                    is(POSITIONS, positions);
                    is(ROTARY_DIM, model.rotaryDim());
                    isOneOf(ROWS, model.heads(), model.keyValueHeads());
                    makes((long) positions * extent(ROWS) * model.rotaryDim());
                }
                case DECODE_ATTENTION, PREFILL_ATTENTION -> {
                    is(POSITIONS, positions);
                    is(HEADS, model.heads());
                    is(KEY_VALUE_HEADS, model.keyValueHeads());
                    is(HEAD_DIM, model.headDim());
                    makes((long) positions * model.queryDim());
                }
                case KV_CACHE_EXTRACT -> {
                    is(POSITIONS, positions);
                    is(KEY_VALUE_HEADS, model.keyValueHeads());
                    is(HEAD_DIM, model.headDim());
                }
                case TRANSPOSE -> {
                    is(POSITIONS, positions);
                    is(HEAD_DIM, model.headDim());
                    isOneOf(HEADS, model.heads(), model.keyValueHeads());
                    reads((long) positions * extent(HEADS) * model.headDim(), "in");
                }
                case ADD -> rows("a", "b");
                case SILU_MUL -> rows("gate", "up");
                case RMS_NORM -> rows("in");
                case LAST_ROW -> {
                    is(POSITIONS, positions);
                    is(N, model.hiddenSize());
                    makes(model.hiddenSize());
                }
                case ARGMAX -> is(N, model.vocabSize());
            }
            TreeSet<String> unknown = new TreeSet<>(op.shape().keySet());
            unknown.removeAll(seen);
            unknown.forEach(name -> tell(place, format(ROOT, "it has an extent %s, which its kind does not have", name)));
        }

        private void rows(String... inputs) {
            seen.add(POSITIONS);
            seen.add(N);
            reads((long) extent(POSITIONS) * extent(N), inputs);
            if (extent(POSITIONS) < 1 || extent(N) < 1) {
                tell(place, format(ROOT, "positions × n is %d × %d", extent(POSITIONS), extent(N)));
            }
        }

        private void is(String name, int expected) {
            isOneOf(name, expected);
        }

        private void isOneOf(String name, int... expected) {
            seen.add(name);
            boolean optional = name.equals(POSITIONS) && positions == 1;
            if (!(optional && !op.shape().containsKey(name)) && Arrays.stream(expected).noneMatch(each -> each == extent(name))) {
                tell(place, format(ROOT, "%s is %s, the model's is %d", name, op.shape().containsKey(name) ? extent(name) : "not declared", expected[0]));
            }
        }

        private int extent(String name) {
            return op.shape().getOrDefault(name, name.equals(POSITIONS) ? 1 : 0);
        }

        /// What its inputs hold, where that is known; its output has as much.
        private void reads(long elements, String... inputs) {
            for (String input : inputs) {
                String value = op.inputs().getOrDefault(input, "");
                OptionalLong held = sizes.containsKey(value) ? OptionalLong.of(sizes.get(value)) : OptionalLong.empty();
                if (held.isPresent() && held.getAsLong() != elements) {
                    tell(place, format(ROOT, "it declares %d elements, the value %s has %d", elements, value, held.getAsLong()));
                }
            }
            makes(elements);
        }

        private void makes(long elements) {
            op.outputs().values().forEach(value -> sizes.put(value, elements));
        }
    }
}
