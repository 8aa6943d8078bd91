package dev.npuflow.npu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GraphTest {

    @Test void every_byte_that_enters_a_link_leaves_it() {
        Random random = new Random(3);
        Graph graph = new Graph();
        int shared = graph.link(Link.of("shared", 50e9).withRunCost(2_000));
        long sent = 0;
        for (int agent = 0; agent < 20; agent++) {
            int own = graph.link(Link.of("own " + agent, 5e9 + random.nextInt(1_000_000_000)));
            long bytes = random.nextInt(100_000);
            int times = 1 + random.nextInt(9);
            sent += bytes * times;
            graph.agent("agent " + agent, new Program().repeat(times, body -> body.move(List.of(shared, own), bytes, 4096, 512, "move")));
        }
        Outcome outcome = graph.run(Recorder.SILENT);
        for (Outcome.LinkUse link : outcome.links()) {
            assertEquals(link.bytesIn(), link.bytesOut(), link.name());
            assertTrue(link.busy() <= outcome.end(), link.name());
        }
        assertEquals(sent, outcome.links().getLast().bytesOut());
    }

    @Test void nothing_is_consumed_before_it_was_produced() {
        Graph graph = new Graph();
        int free = graph.semaphore("free", 3, 3);
        int full = graph.semaphore("full", 0, 3);
        List<Long> produced = new ArrayList<>();
        List<Long> consumed = new ArrayList<>();
        graph.agent("producer", new Program().repeat(100, p -> p.acquire(free, 1).delay(700, "make").release(full, 1)));
        graph.agent("consumer", new Program().repeat(100, p -> p.acquire(full, 1).delay(900, "use").release(free, 1)));
        graph.run((agent, label, start, end, bytes, _) -> {
            if (label.equals("make")) {
                produced.add(end);
            } else {
                consumed.add(start);
            }
        });
        for (int item = 0; item < 100; item++) {
            assertTrue(consumed.get(item) >= produced.get(item));
            assertTrue(item < 3 || produced.get(item) - 700 >= consumed.get(item - 3) + 900, "back-pressure of three places");
        }
    }

    /// Machine repair, deterministic: n customers think for z and share one server of service s; the throughput is min(n / (z + s), 1 / s).
    @Test void a_closed_queueing_network_meets_its_closed_form() {
        for (int customers : new int[] {1, 3, 5, 20}) {
            Graph graph = new Graph();
            int server = graph.semaphore("server", 1, 1);
            long think = 4_000;
            long service = 1_000;
            int rounds = 2_000;
            for (int customer = 0; customer < customers; customer++) {
                graph.agent("customer " + customer, new Program().repeat(rounds, p ->
                        p.delay(think, "think").acquire(server, 1).delay(service, "service").release(server, 1)));
            }
            double expected = Math.max(think + service, (double) customers * service) * rounds;
            assertEquals(1, graph.run(Recorder.SILENT).end() / expected, 0.005, customers + " customers");
        }
    }

    @Test void a_resource_with_two_servers_does_twice_the_work() {
        assertEquals(50_000, farm(1));
        assertEquals(25_000, farm(2));
        assertEquals(25_000, farm(3));
    }

    private static long farm(int servers) {
        Graph graph = new Graph();
        int server = graph.semaphore("servers", servers, servers);
        for (int job = 0; job < 2; job++) {
            graph.agent("job " + job, new Program().repeat(25, p -> p.acquire(server, 1).delay(1000, "serve").release(server, 1)));
        }
        return graph.run(Recorder.SILENT).end();
    }

    @Test void links_share_their_bandwidth_first_come_first_served() {
        Graph graph = new Graph();
        int wire = graph.link(Link.of("wire", 1e12));
        for (int agent = 0; agent < 4; agent++) {
            graph.agent("agent " + agent, new Program().move(List.of(wire), 10_000, 100, 100, "move"));
        }
        assertEquals(40_000, graph.run(Recorder.SILENT).end());
    }

    @Test void a_deadlock_is_told_with_its_cycle() {
        Graph graph = new Graph();
        int fork = graph.semaphore("fork", 1, 1);
        int knife = graph.semaphore("knife", 1, 1);
        graph.agent("anna", new Program().acquire(fork, 1).delay(10, "think").acquire(knife, 1).release(fork, 1).release(knife, 1));
        graph.agent("bert", new Program().acquire(knife, 1).delay(10, "think").acquire(fork, 1).release(knife, 1).release(fork, 1));
        NpuflowException stuck = assertThrows(NpuflowException.class, () -> graph.run(Recorder.SILENT));
        assertEquals("NPF-340", stuck.id());
        assertTrue(stuck.getMessage().contains("anna waits for knife, which bert releases; bert waits for fork, which anna releases"),
                stuck.getMessage());
    }

    @Test void a_token_that_no_component_releases_is_told() {
        Graph graph = new Graph();
        int never = graph.semaphore("never", 0, 1);
        graph.agent("anna", new Program().acquire(never, 1));
        graph.agent("bert", new Program().delay(10, "think"));
        NpuflowException stuck = assertThrows(NpuflowException.class, () -> graph.run(Recorder.SILENT));
        assertTrue(stuck.getMessage().contains("at 10 ps (anna waits for never, which no component releases any more)"), stuck.getMessage());
    }

    /// The first waiter wants two tokens, the second one: one token is there, and the second does not take it.
    @Test void a_waiter_does_not_pass_another_that_wants_more() {
        Graph graph = new Graph();
        int tokens = graph.semaphore("tokens", 1, 2);
        graph.agent("1 wants two", new Program().acquire(tokens, 2).delay(10, "served").release(tokens, 2));
        graph.agent("2 wants one", new Program().acquire(tokens, 1).delay(10, "served").release(tokens, 1));
        graph.agent("3 gives one", new Program().delay(100, "waits").release(tokens, 1));
        List<String> served = new ArrayList<>();
        graph.run((agent, label, start, end, bytes, _) -> served.add(agent + " " + start));
        assertEquals(List.of("3 gives one 0", "1 wants two 100", "2 wants one 110"), served);
    }

    @Test void a_release_beyond_the_capacity_is_a_fault_of_the_graph() {
        Graph graph = new Graph();
        int full = graph.semaphore("full", 1, 1);
        graph.agent("agent", new Program().release(full, 1));
        assertThrows(IllegalStateException.class, () -> graph.run(Recorder.SILENT));
    }

    @Test void a_graph_runs_again_as_it_ran_before() {
        Graph graph = new Graph();
        int wire = graph.link(Link.of("wire", 10e9));
        graph.agent("agent", new Program().repeat(3, p -> p.move(List.of(wire), 3000, 1000, 1000, "move")));
        assertEquals(graph.run(Recorder.SILENT), graph.run(Recorder.SILENT));
    }

    @Test void the_order_of_building_does_not_change_the_trace() {
        assertEquals(trace(1), trace(2));
        assertEquals(trace(1), trace(3));
    }

    @Test void another_graph_does_change_the_trace() {
        assertNotEquals(trace(1), trace(1).replace("agent 3", "agent 9"));
    }

    private static String trace(int seed) {
        Graph graph = new Graph();
        int wire = graph.link(Link.of("wire", 10e9));
        int token = graph.semaphore("token", 2, 2);
        List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7));
        Collections.shuffle(order, new Random(seed));
        for (int agent : order) {
            graph.agent("agent " + agent, new Program().repeat(5, p -> p.acquire(token, 1).move(List.of(wire), 3000, 1000, 1000, "move")
                    .release(token, 1).delay(100L * (agent % 3), "rest")));
        }
        StringBuilder trace = new StringBuilder();
        graph.run((agent, label, start, end, bytes, _) -> trace.append(agent).append(' ').append(label).append(' ').append(start).append(' ').append(end)
                .append('\n'));
        return trace.toString();
    }
}
