package dev.npuflow.npu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.tiny.Parts.Bank;
import dev.npuflow.npu.tiny.Parts.Cpu;
import dev.npuflow.npu.tiny.Parts.Packet;
import dev.npuflow.npu.tiny.Parts.Router;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// A machine that is no array of tiles: a processor posts reads, a router chooses the bank by the address, banks answer. Every link takes 1 ns for 256 bytes
/// and 3 ns of latency; the router passes messages in 2 ns, as a pipeline; a bank takes 8 ns a read, one after the other.
///
///     cpu --request--> router --to even--> even bank --answer--> cpu
///                             --to odd---> odd bank  --answer--> cpu
class TinyMachineTest {

    private static final int PACKET = 256;
    private static final long PASS = 2_000;
    private static final long READ = 8_000;
    private static final double RATE = 256e9;

    private static Graph machine(List<Integer> addresses, int credits, boolean returnsCredits, List<String> answers, Random order) {
        Graph graph = new Graph();
        List<Runnable> parts = new ArrayList<>(List.of(
                () -> graph.component("cpu", () -> new Cpu(addresses, PACKET, answers)),
                () -> graph.component("router", () -> new Router(PASS)),
                () -> graph.component("even bank", () -> new Bank(READ, returnsCredits)),
                () -> graph.component("odd bank", () -> new Bank(READ, returnsCredits)),
                () -> join(graph, "cpu", "request", "router", "in", Link.of("cpu to router", RATE).withLatency(3_000).withCredits(4)),
                () -> join(graph, "router", "even", "even bank", "in", Link.of("router to even", RATE).withLatency(3_000).withCredits(credits)),
                () -> join(graph, "router", "odd", "odd bank", "in", Link.of("router to odd", RATE).withLatency(3_000).withCredits(credits)),
                () -> join(graph, "even bank", "answer", "cpu", "from even", Link.of("even to cpu", RATE).withLatency(3_000)),
                () -> join(graph, "odd bank", "answer", "cpu", "from odd", Link.of("odd to cpu", RATE).withLatency(3_000))));
        Collections.shuffle(parts, order);
        parts.forEach(Runnable::run);
        return graph;
    }

    private static void join(Graph graph, String from, String out, String to, String in, Link link) {
        graph.connect(graph.link(link), from, out, to, in);
    }

    private static List<String> answers(List<Integer> addresses, int credits) {
        List<String> answers = new ArrayList<>();
        machine(addresses, credits, true, answers, new Random(1)).run(Recorder.SILENT, "launch 0");
        return answers;
    }

    /// 1 + 3 to the router, 2 in it, 1 + 3 to the bank, 8 there, 1 + 3 back.
    @Test void one_read_takes_the_sum_of_its_way() {
        assertEquals(List.of("launch 0/read 0 at 22000 by from even"), answers(List.of(0), 8));
    }

    /// The second comes 1 ns later to the other bank, so that both are served at once.
    @Test void a_message_takes_the_port_that_its_address_chooses() {
        assertEquals(List.of("launch 0/read 0 at 22000 by from even", "launch 0/read 1 at 23000 by from odd"), answers(List.of(0, 1), 8));
    }

    /// Reads of one bank queue up there, 8 ns each; the router's 2 ns and the latency of 3 count once, as messages pass both in a pipeline.
    @Test void a_stream_pays_latency_and_delay_once() {
        assertEquals(List.of("launch 0/read 0 at 22000 by from even", "launch 0/read 1 at 30000 by from even", "launch 0/read 2 at 38000 by from even"),
                answers(List.of(0, 2, 4), 8));
    }

    /// With one credit the next request leaves the router when the credit is back, 3 ns after the read: 8 + 3 + 1 + 3 a read instead of 8.
    @Test void a_link_without_a_credit_keeps_the_next_message() {
        assertEquals(List.of("launch 0/read 0 at 22000 by from even", "launch 0/read 1 at 37000 by from even", "launch 0/read 2 at 52000 by from even"),
                answers(List.of(0, 2, 4), 1));
    }

    @Test void spans_of_nodes_and_links_carry_the_id_of_the_read() {
        TreeSet<String> spans = new TreeSet<>();
        machine(List.of(0), 8, true, new ArrayList<>(), new Random(1)).run((component, label, start, end, bytes, correlation) ->
                spans.add("%s: %s %d-%d %d %s".formatted(component, label, start, end, bytes, correlation)), "launch 7");
        assertEquals(new TreeSet<>(List.of("cpu to router: read 0-1000 256 launch 7/read 0", "router to even: read 6000-7000 256 launch 7/read 0",
                "even bank: serve 10000-18000 0 launch 7/read 0", "even to cpu: read 18000-19000 256 launch 7/read 0")), spans);
    }

    @Test void every_byte_that_enters_a_link_leaves_it() {
        Outcome outcome = machine(List.of(0, 1, 2, 3, 5), 1, true, new ArrayList<>(), new Random(1)).run(Recorder.SILENT);
        assertEquals(List.of("cpu to router 1280 1280 5000", "even to cpu 512 512 2000", "odd to cpu 768 768 3000", "router to even 512 512 2000",
                "router to odd 768 768 3000"), outcome.links().stream()
                        .map(link -> "%s %d %d %d".formatted(link.name(), link.bytesIn(), link.bytesOut(), link.busy())).toList());
    }

    @Test void the_order_of_building_does_not_change_the_trace() {
        List<Integer> addresses = new Random(5).ints(40, 0, 100).boxed().toList();
        List<String> expected = new ArrayList<>();
        machine(addresses, 2, true, expected, new Random(1)).run(Recorder.SILENT);
        for (int seed = 2; seed < 6; seed++) {
            List<String> answers = new ArrayList<>();
            machine(addresses, 2, true, answers, new Random(seed)).run(Recorder.SILENT);
            assertEquals(expected, answers);
        }
    }

    @Test void a_bank_that_returns_no_credit_is_told() {
        Graph graph = machine(List.of(0, 2), 1, false, new ArrayList<>(), new Random(1));
        String told = assertThrows(NpuflowException.class, () -> graph.run(Recorder.SILENT)).getMessage();
        assertTrue(told.contains("cpu waits for a message, which no component sends any more; "
                + "router waits for a credit of router to even, which no component returns any more"), told);
    }

    /// Each sends when it has received; neither begins.
    @Test void two_that_wait_for_each_others_message_are_told_as_a_cycle() {
        Graph graph = new Graph();
        for (String name : List.of("anna", "bert")) {
            graph.component(name, () -> new Component() {
                private boolean heard;

                @Override public void receive(Node node, Port port, Message message) {
                    heard = true;
                    node.send(node.port("out"), message);
                }

                @Override public boolean isDone() {
                    return heard;
                }
            });
        }
        join(graph, "anna", "out", "bert", "in", Link.of("there", RATE));
        join(graph, "bert", "out", "anna", "in", Link.of("back", RATE));
        String told = assertThrows(NpuflowException.class, () -> graph.run(Recorder.SILENT)).getMessage();
        assertTrue(told.contains("anna waits for a message, which bert sends; bert waits for a message, which anna sends"), told);
    }

    @Test void a_credit_too_many_is_a_fault_of_the_component() {
        Graph graph = new Graph();
        graph.component("a", () -> new Component() {
            @Override public void start(Node node) {
                node.send(node.port("out"), new Packet(0, 0, "signal", ""));
            }
        });
        graph.component("b", () -> new Component() {
            @Override public void receive(Node node, Port port, Message message) {
                node.returnCredit(port);
                node.returnCredit(port);
            }
        });
        join(graph, "a", "out", "b", "in", Link.of("link", RATE).withCredits(1));
        assertThrows(IllegalStateException.class, () -> graph.run(Recorder.SILENT));
    }

    @Test void a_component_and_a_program_meet_at_a_barrier() {
        Graph graph = new Graph();
        int arrived = graph.semaphore("arrived", 0, 1);
        List<Long> passed = new ArrayList<>();
        graph.agent("core", new Program().delay(500, "work").release(arrived, 1));
        graph.component("waits", () -> new Component() {
            @Override public void start(Node node) {
                if (node.acquire(arrived, 1, 3)) {
                    passed.add(-1L);
                }
            }

            @Override public void wake(Node node, long token) {
                passed.add(node.now() + token);
            }
        });
        graph.run(Recorder.SILENT);
        assertEquals(List.of(503L), passed);
    }

    @Test void a_name_or_a_port_that_is_not_there_is_refused() {
        Graph graph = new Graph();
        graph.component("a", () -> new Router(PASS));
        int link = graph.link(Link.of("link", RATE));
        graph.connect(link, "a", "out", "b", "in");
        assertTrue(assertThrows(IllegalArgumentException.class, () -> graph.run(Recorder.SILENT)).getMessage().contains("no component b"));
        graph.component("b", () -> new Router(PASS));
        graph.connect(link, "b", "out", "a", "in");
        assertTrue(assertThrows(IllegalArgumentException.class, () -> graph.run(Recorder.SILENT)).getMessage().contains("link joins two pairs"));
        assertThrows(IllegalArgumentException.class, () -> graph.link(Link.of("b", RATE)), "a name is taken once");
    }
}
