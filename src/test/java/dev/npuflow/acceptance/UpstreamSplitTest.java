package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.lowering.CompilerPlacement;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.lowering.SkillTraits;
import dev.npuflow.workflow.model.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The merge beside the plan that mlir-air's drivers build (docs/upstream.md, "The ELFs of the other models"): by its own rule at most as many calls, with `--conservative` the same ones.
class UpstreamSplitTest {

    private static final String MERGE = "opt-merge-multi-launch-kernels";
    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({"llama32_1b, 3, 2", "smollm2_1_7b, 3, 2", "qwen25_0_5b, 4, 5", "qwen25_1_5b, 6, 5", "qwen25_3b, 7, 5", "qwen3_0_6b, 3, 2",
        "qwen3_1_7b, 3, 2", "qwen3_4b, 7, 5", "llama32_3b, 3, 5"})
    void conservative_has_upstreams_calls_and_the_default_at_most_as_many(String model, int prefill, int decode) {
        Path directory = Path.of(System.getProperty("npuflow.root"), "programming_examples", "llms", model);
        JsonNode upstream = CommandRun.of("estimate", directory.resolve("config.json").toString(), "--plan", "upstream", "--json").json();
        assertEquals(List.of(prefill, decode), Stream.of("prefill", "decode").map(phase -> upstream.get("calls_per_layer").get(phase).asInt()).toList());
        Deployment conservative = merged(directory, Map.of("conservative", "on"));
        Deployment byPlaceability = merged(directory, Map.of());
        assertEquals(List.of(prefill, decode), List.of(calls(conservative, Phase.PREFILL), calls(conservative, Phase.DECODE)));
        assertEquals(upstream.get("xrt_calls_per_token").asLong(), conservative.decode().callsPerPass(conservative.model().layers()));
        assertEquals(List.of(3, 2), List.of(calls(byPlaceability, Phase.PREFILL), calls(byPlaceability, Phase.DECODE)));
    }

    private static Deployment merged(Path directory, Map<String, String> options) {
        CompilerPlacement placement = new CompilerPlacement(NPU2);
        Deployment plan = DeviceLowering.of(NPU2).baseline(directory.getFileName().toString(), ConfigReader.read(directory).config());
        Skill merge = SkillCatalog.load(Optional.empty()).select(List.of(MERGE)).getFirst().skill();
        for (Phase phase : Phase.values()) {
            SkillContext context = new SkillContext(phase, SkillTraits.of(NPU2), new TreeMap<>(options), placement, List.of());
            plan = assertInstanceOf(Assessment.Proposal.class, merge.assess(plan, context)).plan();
        }
        return plan;
    }

    private static int calls(Deployment plan, Phase phase) {
        return (int) plan.phase(phase).layer().stream().filter(NpuCall.class::isInstance).count();
    }

    /// tiny_kjv has widths for five ELFs: 192 is no multiple of 512.
    @Test void a_conservative_phase_5_passes_the_gate_and_its_document_names_what_the_host_does_and_no_unknown_pair() throws IOException {
        CommandRun run = CommandRun.of("phase5", copyOfTinyKjv().toString(), "--workspace", folder.resolve("conservative").toString(), "--conservative", "--only", MERGE,
                "--json");
        assertEquals(0, run.exitCode(), run.err());
        JsonNode skill = run.json().get("skills").get(0);
        assertEquals(List.of("applied", "pass", "PASS"), Stream.of("outcome", "self_check", "verdict").map(key -> skill.get(key).asString()).toList());
        assertEquals(4 * 5 + 1, skill.get("calls_after").asInt());
        String document = Files.readString(Path.of(run.json().get("document").asString()));
        assertTrue(document.contains("- Operations: add_attention, rms_norm_ffn, silu_mul, add_ffn"), document);
        assertTrue(document.contains("| silu_mul | CPU | — | — | 4 |"), document);
        assertFalse(document.contains("not known to build"), document);
    }

    @Test void the_document_of_the_default_names_the_pairs_that_are_not_known_to_build_and_moves_nothing() throws IOException {
        CommandRun run = CommandRun.of("phase5", copyOfTinyKjv().toString(), "--workspace", folder.resolve("default").toString(), "--only", MERGE, "--json");
        String document = Files.readString(Path.of(run.json().get("document").asString()));
        assertTrue(document.contains("not known to build on silicon: o_gemv + add_attention, add_attention + rms_norm_ffn, rms_norm_ffn + gate_gemv, "), document);
        assertFalse(document.contains("Moved to the host"), document);
        assertEquals(4 * 2 + 1, run.json().get("skills").get(0).get("calls_after").asInt());
    }

    @Test void the_flag_is_the_skill_option_in_words_and_may_not_contradict_it() throws IOException {
        Path model = copyOfTinyKjv();
        String byFlag = diff(model, "--conservative");
        assertEquals(byFlag, diff(model, "--skill-option", "conservative=on"));
        assertNotEquals(byFlag, diff(model));
        for (String command : List.of("phase3", "phase4", "phase5", "deploy", "ablate", "plan")) {
            CommandRun run = CommandRun.of(command, model.toString(), "--workspace", folder.resolve("none").toString(), "--conservative", "--skill-option", "conservative=off",
                    command.equals("plan") ? "--diff=" + MERGE : command.equals("ablate") ? "--skills=" + MERGE : "--json");
            assertEquals(2, run.exitCode(), run.err());
            assertTrue(run.err().startsWith("NPF-836"), run.err());
        }
    }

    private String diff(Path model, String... options) {
        CommandRun run = CommandRun.of(Stream.concat(Stream.of("plan", model.toString(), "--workspace", folder.resolve("plans").toString(), "--diff", MERGE),
                Stream.of(options)).toArray(String[]::new));
        assertEquals(0, run.exitCode(), run.err());
        return run.out();
    }

    /// Outside the tree, so that documents go into the workspace.
    private Path copyOfTinyKjv() throws IOException {
        Path copy = Files.createDirectories(folder.resolve("my_model"));
        for (String file : List.of("config.json", "generation_config.json", "model.safetensors", "tokenizer.json", "prompts.txt")) {
            Files.copy(TinyKjv.directory().resolve(file), copy.resolve(file));
        }
        return copy;
    }
}
