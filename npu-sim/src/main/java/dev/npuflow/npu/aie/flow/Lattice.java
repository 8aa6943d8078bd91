package dev.npuflow.npu.aie.flow;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.engine.Graph;
import dev.npuflow.npu.engine.Link;
import dev.npuflow.npu.engine.Program;
import java.util.List;
import java.util.Locale;

/// The device as a graph to lay agents on: DDR and NoC shared by all, shim channels by column, streams as asked for.
///
///     DDR --total--+--read--> shim c MM2S ch --> stream --> memtile or core
///                  +<-write-- shim c S2MM ch <-- stream <--
public final class Lattice {

    private final AieHardware device;
    private final Graph graph = new Graph();
    private final int total;
    private final int read;
    private final int write;
    private final int[] shimRead;
    private final int[] shimWrite;
    private int readsTaken;
    private int writesTaken;

    public Lattice(AieHardware device) {
        this.device = device;
        AieHardware.Dram dram = device.dram();
        total = graph.link(Link.of("ddr", dram.totalRate()));
        read = graph.link(Link.of("ddr read", dram.readRate()).withRunCost(dram.perRun()));
        write = graph.link(Link.of("ddr write", dram.writeRate()).withRunCost(dram.perRun()));
        int channels = device.array().columns() * device.dma().shimChannels();
        shimRead = new int[channels];
        shimWrite = new int[channels];
        for (int channel = 0; channel < channels; channel++) {
            String at = "shim %02d ".formatted(channel % device.array().columns());
            int number = channel / device.array().columns();
            shimRead[channel] = graph.link(Link.of(at + "mm2s " + number, device.fabric().shimRate()));
            shimWrite[channel] = graph.link(Link.of(at + "s2mm " + number, device.fabric().shimRate()));
        }
    }

    public AieHardware device() {
        return device;
    }

    public Graph graph() {
        return graph;
    }

    /// DDR to a shim channel that no other flow uses: channel 0 of every column first, then channel 1.
    public List<Integer> nextRead() {
        return List.of(total, read, shimRead[readsTaken++ % shimRead.length]);
    }

    /// A shim channel to DDR.
    public List<Integer> nextWrite() {
        return List.of(total, write, shimWrite[writesTaken++ % shimWrite.length]);
    }

    /// A private stream into or out of a core or memtile.
    public int stream(String name) {
        return graph.link(Link.of(name, device.fabric().streamRate()));
    }

    /// Moves bytes to or from DDR on a route; `run` is the contiguous length in DDR.
    public Program transfer(Program program, List<Integer> route, long bytes, long run, String label) {
        int packet = device.dram().packetBytes();
        return program.move(route, bytes, packet, Math.min(run, packet), label);
    }

    /// Vectors of a core's loop over so many elements.
    public int vectors(int elements) {
        return Math.ceilDiv(elements, device.functions().lanes());
    }

    public long cycles(double cycles) {
        return device.clock().picoseconds(cycles);
    }

    /// A pair of semaphores around a buffer with `slots` places.
    public Buffer buffer(String name, int slots) {
        return new Buffer(graph.semaphore(name + " free", slots, slots), graph.semaphore(name + " full", 0, slots));
    }

    /// A task queue of a channel as the control processor sees it.
    public TaskQueue tasks(String name, int issuedAtOnce) {
        int places = device.dma().taskQueueEntries();
        return new TaskQueue(graph.semaphore(name + " places", places, places), graph.semaphore(name + " tasks", 0, places),
                graph.semaphore(name + " done", 0, Math.max(1, issuedAtOnce)));
    }

    /// `free` places to fill and `full` places to empty.
    public record Buffer(int free, int full) {}

    public record TaskQueue(int places, int tasks, int done) {}

    public static String name(String what, int column) {
        return String.format(Locale.ROOT, "%s %02d", what, column);
    }

    public static String name(String what, int column, int row) {
        return String.format(Locale.ROOT, "%s %02d.%d", what, column, row);
    }
}
