package dev.npuflow.npu.engine;

/// A component's end of a link.
public final class Port {

    private final String name;
    private final Wire wire;
    private final boolean outgoing;

    Port(String name, Wire wire, boolean outgoing) {
        this.name = name;
        this.wire = wire;
        this.outgoing = outgoing;
    }

    public String name() {
        return name;
    }

    Wire outgoing() {
        return checked(true, "sends");
    }

    Wire incoming() {
        return checked(false, "receives");
    }

    private Wire checked(boolean wanted, String what) {
        if (outgoing != wanted) {
            throw new IllegalArgumentException("port " + name + " never " + what);
        }
        return wire;
    }
}
