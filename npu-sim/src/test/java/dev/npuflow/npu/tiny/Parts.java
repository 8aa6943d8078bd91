package dev.npuflow.npu.tiny;

import dev.npuflow.npu.engine.Component;
import dev.npuflow.npu.engine.Message;
import dev.npuflow.npu.engine.Node;
import dev.npuflow.npu.engine.Port;
import java.util.ArrayList;
import java.util.List;

/// Components of a machine that is no array of tiles: a processor posts reads, a router chooses the bank by the address, banks answer.
public final class Parts {

    private Parts() {}

    public record Packet(int address, long bytes, String label, String correlation) implements Message {}

    /// Posts all its reads at once and is done when all have been answered.
    public static final class Cpu implements Component {

        private final List<Integer> addresses;
        private final int packetBytes;
        private final List<String> answers;
        private int open;

        /// @param answers hears of each answer
        public Cpu(List<Integer> addresses, int packetBytes, List<String> answers) {
            this.addresses = addresses;
            this.packetBytes = packetBytes;
            this.answers = answers;
            open = addresses.size();
        }

        @Override public void start(Node node) {
            for (int read = 0; read < addresses.size(); read++) {
                node.send(node.port("request"), new Packet(addresses.get(read), packetBytes, "read", node.correlation() + "/read " + read));
            }
        }

        @Override public void receive(Node node, Port port, Message message) {
            answers.add("%s at %d by %s".formatted(message.correlation(), node.now(), port.name()));
            open--;
        }

        @Override public boolean isDone() {
            return open == 0;
        }
    }

    /// Branches on the message: even addresses to one bank, odd ones to the other. Messages pass it in a pipeline.
    public record Router(long pass) implements Component {

        @Override public void receive(Node node, Port port, Message message) {
            node.returnCredit(port);
            node.send(node.port(((Packet) message).address() % 2 == 0 ? "even" : "odd"), message, pass);
        }
    }

    /// Serves one read at a time; its queue is the link's, which has as many messages with it as the link has credits.
    public static final class Bank implements Component {

        private final long read;
        private final boolean returnsCredits;
        private final List<Message> waiting = new ArrayList<>();

        public Bank(long read, boolean returnsCredits) {
            this.read = read;
            this.returnsCredits = returnsCredits;
        }

        @Override public void receive(Node node, Port port, Message message) {
            waiting.add(message);
            if (waiting.size() == 1) {
                node.wakeAfter(read, 1);
            }
        }

        @Override public void wake(Node node, long token) {
            Message served = waiting.removeFirst();
            node.span("serve", node.now() - read, 0, served.correlation());
            if (returnsCredits) {
                node.returnCredit(node.port("in"));
            }
            node.send(node.port("answer"), served);
            if (!waiting.isEmpty()) {
                node.wakeAfter(read, 1);
            }
        }
    }
}
