package dev.npuflow.npu.aie.flow;

import dev.npuflow.npu.aie.flow.Lattice.Buffer;
import dev.npuflow.npu.engine.Program;
import java.util.List;

/// What the row-parallel kernels share: each core has its own shim channels and loops over tiles, DDR → L1, compute, L1 → DDR.
///
/// @param cores     each takes `tiles` tiles
/// @param streams   input streams of a core
/// @param tileBytes of one input stream's tile
/// @param outBytes  of an output tile
/// @param preload   bytes that every core gets once before the loop, such as a norm's weight; they are sent to all cores at once
/// @param compute   of one tile, in picoseconds
public record StreamingFlow(int cores, long tiles, int streams, long tileBytes, long outBytes, long preload, long compute) {

    /// A core's tiles follow each other in DDR, so that its runs are long.
    private static final long CONTIGUOUS = Long.MAX_VALUE;

    /// Tiles of one period.
    public static final int SHARE = 32;

    public static int periods(long tiles) {
        return (int) Math.ceilDiv(tiles, (long) SHARE);
    }

    public void lay(boolean pingPong, Lattice lattice) {
        int slots = pingPong ? 2 : 1;
        long taskStart = lattice.device().fabric().taskStart();
        int ready = lattice.graph().semaphore("preloaded", 0, cores);
        if (preload > 0) {
            lattice.graph().agent("shim preload", lattice.transfer(new Program().delay(taskStart, "task"), lattice.nextRead(), preload, CONTIGUOUS,
                    "preload").release(ready, cores));
        }
        for (int core = 0; core < cores; core++) {
            Buffer out = lattice.buffer(Lattice.name("l1 out", core), slots);
            Program body = new Program();
            if (preload > 0) {
                body.acquire(ready, 1);
            }
            Buffer[] in = new Buffer[streams];
            for (int stream = 0; stream < streams; stream++) {
                Buffer buffer = lattice.buffer(Lattice.name("l1 in", core, stream), slots);
                in[stream] = buffer;
                List<Integer> route = lattice.nextRead();
                lattice.graph().agent(Lattice.name("shim in", core, stream), new Program().delay(taskStart, "task").repeat(tiles, tile ->
                        lattice.transfer(tile.acquire(buffer.free(), 1), route, tileBytes, CONTIGUOUS, "L3 to L1").release(buffer.full(), 1)));
            }
            body.repeat(tiles, tile -> {
                for (Buffer buffer : in) {
                    tile.acquire(buffer.full(), 1);
                }
                tile.acquire(out.free(), 1).delay(compute, "compute");
                for (Buffer buffer : in) {
                    tile.release(buffer.free(), 1);
                }
                tile.release(out.full(), 1);
            });
            lattice.graph().agent(Lattice.name("core", core), body);
            List<Integer> route = lattice.nextWrite();
            lattice.graph().agent(Lattice.name("shim out", core), new Program().repeat(tiles, tile ->
                    lattice.transfer(tile.acquire(out.full(), 1), route, outBytes, CONTIGUOUS, "L1 to L3").release(out.free(), 1)));
        }
    }
}
