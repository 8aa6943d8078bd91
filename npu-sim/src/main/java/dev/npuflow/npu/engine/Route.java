package dev.npuflow.npu.engine;

/// Links that a component's packets pass one after the other, cut-through: a packet occupies each link from when its head is there and the link is free. One
/// packet at a time; who wants several on the way has several routes, or sends messages.
public final class Route implements Event {

    private final Node node;
    private final Wire[] wires;
    private final long token;
    private final int number;
    private long onTheWay;

    Route(Node node, Wire[] wires, long token) {
        this.node = node;
        this.wires = wires;
        this.token = token;
        number = node.enter(this);
    }

    /// Sends a packet; the component is woken with the route's token when its last byte has arrived.
    ///
    /// @param runBytes contiguous bytes at the far end
    public void carry(long bytes, long runBytes) {
        if (onTheWay > 0) {
            throw new IllegalStateException(node.name() + " sends a packet on a route before the one before has arrived");
        }
        onTheWay = bytes;
        node.schedule(Wire.carry(wires, node.now(), bytes, runBytes), number);
    }

    @Override public void happen() {
        for (Wire wire : wires) {
            wire.left(onTheWay);
        }
        onTheWay = 0;
        node.component().wake(node, token);
    }
}
