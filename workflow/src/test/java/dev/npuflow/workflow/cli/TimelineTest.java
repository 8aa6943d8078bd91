package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TimelineTest {

    @TempDir Path folder;

    private static CommandRun run(String command) {
        return CommandRun.of(command.split(" "));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            GEMV --m 512 --k 1024 --tile-m 8 --m-input 4, gemv --shape m=512;k=1024 --tile tile_m=8;m_input=4
            GEMV --m 512 --k 1024 --tile-m 8 --m-input 4 --ping-pong on --loop-tiling 16, GEMV --shape m=512;k=1024 --tile tile_m=8;m_input=4 --ping-pong --tiling 16
            gemm --m 512 --k 512 --n 512 --tile-m 64 --tile-k-l2 128 --tile-k-l1 32 --tile-n 64, GEMM --shape m=512;k=512;n=512 --tile tile_m=64;tile_k_l2=128;tile_k_l1=32;tile_n=64
            gemm --m 512 --k 512 --n 512 --tile-m 32 --tile-k-l2 128 --tile-k-l1 32 --tile-n 64 --ping-pong off, gemm --shape m=512;k=512;n=512 --tile tile_m=32;tile_k_l2=128;tile_k_l1=32;tile_n=64 --no-ping-pong
            RMSNorm --rows 64 --n 2048, rms-norm --shape rows=64;n=2048
            eltwise_add --n 65536 --tile-n 1024 --herd 4x2, EltwiseAdd --shape n=65536 --tile tile_n=1024 --herd 4x2
            gemv_add --m 512 --k 1024 --tile-m 8 --herd 4, gemv_add --shape m=512;k=1024 --tile tile_m=8 --herd 4
            FlashAttention --seq-q 512 --seq-k 512 --heads 8 --kv-heads 2 --head-dim 64 --lqp 256 --lkp 64 --num-q-tiles 4 --hpu 2 --cascade 4 --dv-chunks 1, flash_attention --shape seq_q=512;seq_k=512;heads=8;kv_heads=2;head_dim=64 --tile lqp=256;lkp=64;num_q_tiles=4;hpu=2;cascade=4;dv_chunks=1
            """, delimiterString = ", ")
    void a_launch_has_the_configuration_and_the_time_that_a_check_of_it_has(String check, String timeline) {
        JsonNode checked = run("kernels check " + check + " --json").json();
        JsonNode timed = run("sim timeline " + timeline.replace(';', ',') + " --json").json();
        for (String field : List.of("kernel", "shape", "herd", "tile", "ping_pong", "loop_tiling", "simulated_us")) {
            assertEquals(checked.path(field), timed.path(field), field);
        }
        assertTrue(checked.path("legal").asBoolean());
    }

    @Test void another_loop_tiling_is_another_time() {
        String gemv = "sim timeline gemv --shape m=512,k=1024 --tile tile_m=8,m_input=4 --json";
        assertTrue(run(gemv + " --loop-tiling 16").json().path("simulated_us").asDouble() != run(gemv).json().path("simulated_us").asDouble());
    }

    @Test void the_text_says_what_was_built_and_shows_every_column() {
        CommandRun run = run("sim timeline gemv --shape m=512,k=1024 --tile tile_m=8,m_input=4");
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().startsWith("gemv k 1024, m 512; herd 8x1, m_input 4, tile_m 8, ping-pong off, loop tiling 4\nsimulated alone: "), run.out());
        for (int column = 0; column < 8; column++) {
            assertTrue(run.out().contains("core 0" + column), run.out());
        }
    }

    @Test void json_says_how_busy_each_track_is_in_each_hundredth_of_the_window() {
        JsonNode json = run("sim timeline gemv --shape m=512,k=1024 --tile tile_m=8,m_input=4 --from 10 --to 30 --json").json();
        assertEquals(List.of(10.0, 30.0), List.of(json.path("from_us").asDouble(), json.path("to_us").asDouble()));
        assertTrue(json.path("array_us").asDouble() < json.path("simulated_us").asDouble(), "dispatch comes on top");
        assertEquals(100, json.path("busy").path("core 00.0").size());
        double work = 0;
        for (JsonNode track : json.path("busy")) {
            for (JsonNode share : track) {
                assertTrue(share.asDouble() >= 0 && share.asDouble() <= 1, share.toString());
                work += share.asDouble();
            }
        }
        assertTrue(work > 0);
    }

    @Test void a_trace_ends_when_the_array_does() throws IOException {
        Path trace = folder.resolve("out.json.gz");
        double array = run("sim timeline gemv --shape m=512,k=1024 --tile tile_m=8,m_input=4 --json --trace " + trace).json().path("array_us").asDouble();
        double end = 0;
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(trace))) {
            for (JsonNode event : JsonMapper.shared().readTree(in.readAllBytes()).path("traceEvents")) {
                end = Math.max(end, event.path("ts").asDouble() + event.path("dur").asDouble());
            }
        }
        assertEquals(array, end, 1e-3);
        assertEquals(List.of("out.json.gz"), names());
    }

    @Test void the_flags_of_attention_are_extents_that_may_be_given() {
        String attention = "sim timeline flash_attention --shape seq_q=512,seq_k=512,heads=8,kv_heads=2,head_dim=64,FLAG=1"
                + " --tile lqp=256,lkp=64,num_q_tiles=4,hpu=2,cascade=4,dv_chunks=1";
        assertEquals(0, run(attention.replace("FLAG", "causal")).exitCode());
        assertEquals(0, run(attention.replace("FLAG", "head_first")).exitCode());
        CommandRun mistyped = run(attention.replace("FLAG", "casual"));
        assertEquals(2, mistyped.exitCode());
        assertTrue(mistyped.err().startsWith("NPF-832 --shape casual of flash_attention") && mistyped.err().trim().endsWith("; try --shape causal"), mistyped.err());
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            NPF-830, gevm --shape m=512;k=1024 --tile tile_m=8;m_input=4
            NPF-831, gemv --shape m=512 --tile tile_m=8;m_input=4
            NPF-831, gemv --shape m=512;k=1024
            NPF-832, gemv --shape m=512;k=1024;n=4 --tile tile_m=8;m_input=4
            NPF-832, rms_norm --shape rows=64;n=2048 --tile tile_m=8
            NPF-833, gemv --shape m=0;k=1024 --tile tile_m=8;m_input=4
            NPF-833, gemv --shape m=512;k=1024 --tile tile_m=8;m_input=0
            NPF-833, gemv --shape m=512;k=1024 --tile tile_m=8;m_input=4 --loop-tiling 0
            NPF-834, gemv --shape m=512;k=1024 --tile tile_m=8;m_input=4 --herd 0x1
            NPF-801, gemv --shape m=512;k=1024 --tile tile_m=8;m_input=4 --from 20 --to 20
            NPF-345, gemv --shape m=512;k=1024 --tile tile_m=8;m_input=4 --herd 9x1
            NPF-345, flash_attention --shape seq_q=2147483647;seq_k=2147483647;heads=2147483647;kv_heads=2147483647;head_dim=2147483647 --tile lqp=256;lkp=64;num_q_tiles=4;hpu=2;cascade=4;dv_chunks=1
            """)
    void what_cannot_be_shown_is_told_and_leaves_no_trace_and_an_older_one_as_it_was(String id, String arguments) throws IOException {
        String command = "sim timeline " + arguments.replace(';', ',') + " --trace ";
        CommandRun refused = run(command + folder.resolve("new.json.gz"));
        assertEquals(2, refused.exitCode(), refused.err());
        assertTrue(refused.err().startsWith(id + " "), refused.err());
        assertFalse(refused.err().contains("\tat "), refused.err());
        Files.writeString(folder.resolve("old.json.gz"), "older");
        run(command + folder.resolve("old.json.gz"));
        assertEquals("older", Files.readString(folder.resolve("old.json.gz")));
        assertEquals(List.of("old.json.gz"), names());
    }

    @Test void a_trace_that_cannot_be_written_is_told() throws IOException {
        String command = "sim timeline gemv --shape m=512,k=1024 --tile tile_m=8,m_input=4 --trace ";
        for (Path place : List.of(folder.resolve("no/such/dir.gz"), Files.createDirectory(folder.resolve("directory")))) {
            CommandRun refused = run(command + place);
            assertEquals(3, refused.exitCode(), "the environment's fault, as any other file that cannot be written");
            assertTrue(refused.err().startsWith("NPF-342 trace " + place + " cannot be written ("), refused.err());
        }
        assertEquals(List.of("directory"), names());
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
