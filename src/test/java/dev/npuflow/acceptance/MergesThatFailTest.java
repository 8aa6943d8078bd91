package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.Placement;
import dev.npuflow.skill.Skill;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.ledger.AttemptEvent;
import dev.npuflow.workflow.ledger.AttemptState;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.measurement.Profile;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.phase.PhaseResult;
import dev.npuflow.workflow.phase.ReasonCode;
import dev.npuflow.workflow.phase.RecordedPhase;
import dev.npuflow.workflow.phase.SkillRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A tool chain that refuses what the placement check lets through, and a merge that does not reach the device. What is refused, and in which words, is of the
/// docs/upstream.md, "Merge limits".
class MergesThatFailTest {


    @TempDir static Path workspace;
    private static TinyKjv tiny;

    @BeforeAll static void open() {
        tiny = TinyKjv.open(workspace);
    }

    @AfterAll static void close() {
        tiny.close();
    }

    @Test void does_not_retreat_where_all_compiles() {
        Outcome outcome = merge(tiny.target);
        assertEquals(List.of(6, 8), outcome.launches());
        assertEquals(0, outcome.refusals().size());
        assertEquals(List.of(), outcome.skill.blockers());
    }

    /// 16 descriptors, one for each port of each launch: the second half of a layer has 24, its two quarters 12 each.
    @Test void an_elf_that_exhausts_the_buffer_descriptors_is_halved() {
        Outcome outcome = merge(new Refusing(tiny.target, call -> call.launches().stream().mapToInt(MergesThatFailTest::ports).sum() <= 16 ? Optional.empty()
                : Optional.of(elf(call, "BUFFER_DESCRIPTORS", "Allocator exhausted available buffer descriptor IDs"))));
        assertEquals(ReasonCode.FASTER, outcome.skill.code());
        assertEquals(List.of(5, 1, 4, 4), outcome.launches());
        assertEquals(2, outcome.refusals().size());
    }

    private static int ports(Launch launch) {
        return launch.inputs().size() + launch.outputs().size();
    }

    /// Three streams of weights: the fourth GEMV of an ELF finds no channel.
    @Test void the_launch_that_finds_no_channel_starts_the_next_elf() {
        Outcome outcome = merge(new Refusing(tiny.target, call -> call.launches().stream().filter(launch -> launch.kernel().equals("gemv")).skip(3).findFirst()
                .map(launch -> launch(call, launch.name(), "SHIM_CHANNELS", "no ShimNOCTile has sufficient DMA capacity"))));
        assertEquals(List.of(6, 6, 2), outcome.launches());
        assertEquals(1, outcome.refusals().size());
    }

    @Test void gate_and_up_that_do_not_fit_into_the_memtiles_together_are_parted() {
        Outcome outcome = merge(new Refusing(tiny.target, call -> Stream.of("gate_gemv", "up_gemv").allMatch(names(call)::contains)
                ? Optional.of(launch(call, "up_gemv", "L2_CAPACITY", "L2 capacity exceeded")) : Optional.empty()));
        assertEquals(List.of(6, 4, 4), outcome.launches());
        assertEquals(1, outcome.refusals().size());
    }

    /// The real compiler, behind a linker that does not rename: GEMVs of other tilings have one symbol.
    @Test void tilings_whose_symbols_clash_go_into_elfs_of_their_own() {
        Outcome outcome = merge(new Delegating(tiny.target) {
            @Override public List<Blocker> compile(Deployment deployment) {
                return super.compile(deployment.mapCalls(Phase.DECODE, call -> call.withLaunches(call.launches().stream()
                        .map(launch -> launch.withSymbol(launch.kernel())).toList())));
            }
        });
        assertEquals(ReasonCode.FASTER, outcome.skill.code());
        assertEquals("SYMBOL_CLASH", outcome.refusals().getFirst().getFirst().limit());
        List<List<String>> symbols = tilings(tiny.target.baseline());
        assertEquals(fewest(symbols.subList(0, 6)) + fewest(symbols.subList(6, 14)), outcome.launches().size());
    }

    /// Of each call of a layer, kernel and what its object is compiled for.
    private static List<List<String>> tilings(Deployment plan) {
        return plan.decode().layer().stream().filter(NpuCall.class::isInstance).map(step -> ((NpuCall) step).launches().getFirst())
                .map(launch -> List.of(launch.kernel(), launch.kernel().equals("gemv") || launch.kernel().equals("silu_mul") ? launch.tile().toString() : "")).toList();
    }

    /// Groups without two tilings of one kernel, each as long as it may be.
    private static int fewest(List<List<String>> tilings) {
        int groups = 1;
        List<List<String>> group = List.of();
        for (List<String> tiling : tilings) {
            boolean clashes = group.stream().anyMatch(other -> other.getFirst().equals(tiling.getFirst()) && !other.equals(tiling));
            groups += clashes ? 1 : 0;
            group = Stream.concat((clashes ? List.<List<String>>of() : group).stream(), Stream.of(tiling)).toList();
        }
        return groups;
    }

    @Test void a_launch_that_blocks_wherever_it_is_merged_ends_alone_and_all_others_are_merged() {
        Outcome outcome = merge(new Refusing(tiny.target, call -> names(call).contains("gate_gemv")
                ? Optional.of(launch(call, "gate_gemv", "ROUTING", "packet flow could not be routed")) : Optional.empty()));
        assertEquals(List.of(6, 3, 1, 4), outcome.launches());
        assertEquals(2, outcome.refusals().size());
    }

    /// The cores are smaller than the placement check thinks; the compiler is the real one.
    @Test void cores_without_room_for_second_buffers_cost_the_elf_its_ping_pong_and_no_call() {
        try (TinyKjv small = TinyKjv.open(workspace.resolve("small"), "npu2", List.of("array.core_memory_bytes=4096"))) {
            Outcome outcome = merge(new Delegating(small.target) {
                @Override public Placement placement() {
                    return tiny.target.placement();
                }
            });
            assertEquals("L1_CAPACITY", outcome.refusals().getFirst().getFirst().limit());
            assertEquals(List.of(6, 8), outcome.launches());
        }
    }

    @Test void where_nothing_may_be_merged_the_skill_is_skipped_by_the_blocker_s_name() {
        Outcome outcome = merge(new Refusing(tiny.target, call -> Optional.of(elf(call, "BUFFER_DESCRIPTORS", "Allocator exhausted available buffer descriptor IDs"))));
        assertEquals(ReasonCode.DOES_NOT_COMPILE, outcome.skill.code());
        assertTrue(outcome.skill.reason().startsWith("BUFFER_DESCRIPTORS in decode/"), outcome.skill.reason());
        assertTrue(outcome.skill.reason().endsWith("Allocator exhausted available buffer descriptor IDs; no other plan is left after %d attempts".formatted(
                outcome.refusals().size())), outcome.skill.reason());
        assertEquals(tiny.target.baseline().hash(), outcome.plan.hash());
    }

    @Test void every_attempt_is_in_the_ledger_and_in_the_document() {
        Outcome outcome = merge(new Refusing(tiny.target, call -> call.launches().size() > 5
                ? Optional.of(elf(call, "BUFFER_DESCRIPTORS", "Allocator exhausted available buffer descriptor IDs")) : Optional.empty()));
        assertEquals(List.of("does_not_compile", "does_not_compile", "compiles"),
                outcome.events.stream().map(AttemptEvent::reasonCode).filter(code -> code.contains("compile")).toList());
        List<String> attempts = outcome.document.lines().filter(line -> line.contains("blocker: attempt")).map(String::strip).toList();
        // Both halves of the layer are too large at first, the second one again without its last launch.
        assertEquals(List.of(1, 1, 2), attempts.stream().map(line -> Integer.parseInt(line.replaceAll(".*attempt (\\d+),.*", "$1"))).toList());
        assertTrue(attempts.getFirst().endsWith(
                "9 XRT calls a pass: decode/rms_gemv_rope/rms_gemv_rope: BUFFER_DESCRIPTORS: Allocator exhausted available buffer descriptor IDs. Un-merge the last launch."), attempts::getFirst);
        assertTrue(attempts.getLast().contains("17 XRT calls a pass: decode/o_gemv_to_down_gemv/"), attempts::getLast);
    }

    @Test void a_merge_that_is_not_in_effect_is_an_error_and_is_reverted() {
        Outcome outcome = merge(new Delegating(tiny.target) {
            @Override public Profile profile(Deployment deployment, Prompt prompt, int tokens, boolean ignoreEos) {
                return target.profile(target.baseline(), prompt, tokens, ignoreEos);
            }
        });
        assertEquals(ReasonCode.TARGET_FAILED, outcome.skill.code());
        assertTrue(outcome.skill.reason().startsWith("NPF-524 merge not in effect: 1824 XRT calls in 32 passes"), outcome.skill.reason());
        assertEquals(tiny.target.baseline().hash(), outcome.plan.hash());
    }

    /// What a tool chain says of an ELF of several launches.
    private interface Rule {
        Optional<Blocker> blocker(NpuCall call);
    }

    private static final class Refusing extends Delegating {

        private final Rule rule;

        Refusing(Target target, Rule rule) {
            super(target);
            this.rule = rule;
        }

        @Override public List<Blocker> compile(Deployment deployment) {
            return Stream.concat(super.compile(deployment).stream(), deployment.decode().calls().filter(call -> call.launches().size() > 1)
                    .flatMap(call -> rule.blocker(call).stream())).toList();
        }
    }

    private static Blocker elf(NpuCall call, String limit, String message) {
        return launch(call, call.name(), limit, message);
    }

    private static Blocker launch(NpuCall call, String launch, String limit, String message) {
        return new Blocker(limit, "decode/%s/%s".formatted(call.name(), launch), message, "cause", "Un-merge the last launch.");
    }

    private static List<String> names(NpuCall call) {
        return call.launches().stream().map(Launch::name).toList();
    }

    /// @param events   of the skill's attempt in the ledger
    /// @param document as the phase writes it
    private record Outcome(SkillRecord skill, Deployment plan, List<AttemptEvent> events, String document) {

        /// Of each call of a layer, in order.
        List<Integer> launches() {
            return plan.decode().layer().stream().filter(NpuCall.class::isInstance).map(step -> ((NpuCall) step).launches().size()).toList();
        }

        /// Of each plan that did not compile, what kept it.
        List<List<Blocker>> refusals() {
            return events.stream().filter(event -> event.state() == AttemptState.APPLIED && event.reasonCode().equals("does_not_compile"))
                    .map(event -> List.of(CanonicalJson.read(event.details(), Blocker[].class))).toList();
        }
    }

    private static Outcome merge(Target target) {
        Skill merge = SkillCatalog.load(Optional.empty()).select(List.of("opt-merge-multi-launch-kernels")).getFirst().skill();
        try (Ledger ledger = Ledger.open(workspace)) {
            RunId run = ledger.beginRun(tiny.key(), new TreeMap<>());
            PhaseResult result = tiny.phase5(target, ledger, run, TinyKjv.options(true, 1), merge);
            return new Outcome(result.skills().getFirst(), result.last().deployment(), ledger.attempts(run).getLast().events(),
                    new RecordedPhase(ledger, run).document(Phase.DECODE, "PASS", List.of()).render());
        }
    }
}
