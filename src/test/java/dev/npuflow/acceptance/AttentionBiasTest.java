package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.model.ConfigReader;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A Qwen3 with `attention_bias`, so that all four projections have one, through every command that runs a plan of it.
class AttentionBiasTest {

    private static final Path MODEL = Path.of(System.getProperty("npuflow.root"), "workflow/src/test/resources/cases/attention_bias/qwen3");

    @TempDir static Path workspace;
    private static JsonNode deployed;

    private static CommandRun on(String command, String... more) {
        return CommandRun.of(Stream.concat(Stream.of(command, MODEL.toString(), "--workspace", workspace.toString(), "--json"), Stream.of(more)).toArray(String[]::new));
    }

    @BeforeAll static void deploy() {
        CommandRun run = on("deploy");
        assertEquals(0, run.exitCode(), run.err());
        deployed = run.json();
    }

    @Test void the_three_phases_pass_and_what_fuses_o_with_the_addition_stays_away() {
        assertEquals(List.of("PASS", "PASS", "PASS"), deployed.valueStream().map(phase -> phase.get("status").asString()).toList());
        JsonNode decode = deployed.get(2);
        List<String> applied = decode.get("skills").valueStream().filter(skill -> skill.get("outcome").asString().equals("applied"))
                .map(skill -> skill.get("name").asString()).toList();
        assertTrue(applied.contains("opt-merge-multi-launch-kernels") && !applied.contains("opt-fuse-decode-ffn"), applied::toString);
    }

    @Test void an_estimate_agrees_with_what_the_phases_measured() {
        for (String[] plan : new String[][] {{"baseline", "baseline"}, {"phase5", "final"}}) {
            JsonNode estimate = CommandRun.of("estimate", MODEL.resolve("config.json").toString(), "--plan", plan[0], "--json").json();
            double measured = deployed.get(2).get(plan[1]).get("ms_per_token").asDouble();
            assertEquals(measured, estimate.get("ms_per_token").asDouble(), measured * 0.01, plan[0]);
        }
        assertEquals(0, CommandRun.of("estimate", MODEL.resolve("config.json").toString(), "--plan", "upstream", "--json").exitCode());
    }

    @Test void a_wrong_bias_on_o_is_localized_and_the_right_one_is_not() {
        Deployment baseline = DeviceLowering.of(Devices.load("npu2", List.of())).baseline("qwen3", ConfigReader.read(MODEL).config());
        Deployment wrong = baseline.mapCalls(Phase.DECODE, call -> !call.name().equals("o_bias") ? call : call.mapArguments(AttentionBiasTest::anotherWeight));
        String plan;
        try (Ledger ledger = Ledger.open(workspace)) {
            plan = ledger.recordPlan(wrong);
        }
        JsonNode found = on("localize", "--plan", plan, "--steps", "2").json();
        assertTrue(found.get("found").asBoolean(), found::toString);
        assertEquals("o_bias/o_bias", found.get("fault").get("place").asString());
        assertEquals("o", found.get("fault").get("operator").asString());
        JsonNode right = on("localize", "--plan", "baseline", "--steps", "2").json();
        assertFalse(right.get("found").asBoolean(), right::toString);
        assertTrue(right.get("unjudged").isEmpty(), right::toString);
    }

    private static Argument anotherWeight(Argument argument) {
        return argument.source() instanceof Source.Weight
                ? new Argument(argument.name(), argument.shape(), argument.dataType(), new Source.Weight("model.layers.{layer}.input_layernorm.weight", 0, 1),
                        argument.transfer(), argument.readBack()) : argument;
    }

    @Test void inspect_names_the_biases() {
        JsonNode model = CommandRun.of("inspect", MODEL.toString(), "--json").json();
        assertEquals(List.of(true, true, true), Stream.of("supported", "qkv_bias", "o_bias").map(field -> model.get(field).asBoolean()).toList());
    }
}
