package dev.npuflow.npu.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlashAttentionLimitsTest {

    private static final String LLAMA = "seq_q=2048;seq_k=2048;heads=32;kv_heads=8;head_dim=64;causal=1;positions=2048";
    private static final String TILE = "lqp=256;lkp=64;num_q_tiles=4;hpu=2;cascade=4;dv_chunks=1";

    private static Elf attention(String shape, String tile, int columns) {
        return new Elf().launch("flash_attention", "attn", shape, tile, columns, 4);
    }

    /// Rows K0145, K0146, K0155, K0161, K0147 and K0150 of the kernel registry, and head_dim 256 as its text describes it.
    @ParameterizedTest
    @CsvSource({"2048,32,8,64,1,256,64,4,2,1", "2048,32,32,64,1,256,64,4,2,1", "2048,16,8,128,1,256,64,4,2,2", "2048,32,8,64,1,512,64,8,1,1",
        "512,2,2,64,0,256,64,4,2,1", "1024,12,12,64,0,256,64,4,2,1", "2048,8,4,256,1,256,32,8,1,2"})
    void what_ran_on_silicon_places(int seq, int heads, int groups, int dim, int causal, int lqp, int lkp, int tiles, int hpu, int chunks) {
        String shape = "seq_q=%d;seq_k=%d;heads=%d;kv_heads=%d;head_dim=%d;head_first=1".formatted(seq, seq, heads, groups, dim) + (causal == 1 ? ";causal=1" : "");
        assertEquals(List.of(), attention(shape, "lqp=%d;lkp=%d;num_q_tiles=%d;hpu=%d;cascade=4;dv_chunks=%d".formatted(lqp, lkp, tiles, hpu, chunks), tiles * hpu)
                .limits());
    }

    @Test
    void heads_of_64_may_stand_positions_first_and_heads_of_128_may_not() {
        assertEquals(List.of(), attention(LLAMA, TILE, 8).limits());
        Elf wide = attention(LLAMA.replace("head_dim=64", "head_dim=128"), TILE.replace("dv_chunks=1", "dv_chunks=2"), 8);
        assertEquals(List.of("SEQ_FIRST_VALUES"), wide.limits());
    }

    @Test
    void heads_of_32_have_no_legal_tile() {
        assertEquals(List.of("HEAD_DIVIDES"), attention(LLAMA.replace("head_dim=64", "head_dim=32"), TILE, 8).limits());
        assertEquals(List.of("TILE_ROWS"), attention(LLAMA.replace("head_dim=64", "head_dim=32"), TILE.replace("lqp=256;lkp=64", "lqp=128;lkp=32"), 8).limits());
    }

    @Test
    void ping_pong_does_not_fit() {
        assertEquals(List.of("L1_CAPACITY"), attention(LLAMA, TILE, 8).pingPong(true).limits());
    }

    @Test
    void each_rule_has_its_words() {
        assertEquals("lq (1920) must be divisible by lqp (256)", attention(LLAMA.replace("seq_q=2048;seq_k=2048", "seq_q=1920;seq_k=1920").replace("positions=2048",
                "positions=1920"), TILE, 8).message("QUERIES_DIVIDE"));
        assertEquals(List.of("GROUPS_DIVIDE"), attention(LLAMA.replace("kv_heads=8", "kv_heads=5"), TILE, 8).limits());
        assertEquals(List.of("HEADS_DIVIDE"), attention(LLAMA.replace("heads=32;kv_heads=8", "heads=9;kv_heads=3"), TILE, 8).limits());
        assertEquals(List.of("HERD_SHAPE"), attention(LLAMA, TILE, 4).limits());
        assertTrue(attention(LLAMA.replace("causal=1;", ""), TILE, 8).message("PADDING_SEEN").contains("padding of 2048 positions"));
    }
}
