package dev.npuflow.skill;

/// What a device can do that decides whether an optimization is right on it, or worth trying. It comes from the device's file. A skill asks for a trait and
/// never for a device's name, so that it works on a machine that its author never saw.
public enum DeviceTrait {
    /// One XRT call may hold several launches, which the device runs one after the other without the host.
    CHAINED_CALLS("run several launches in one call"),
    /// Between two launches of a call, all cores wait until the first one has ended.
    DEVICE_BARRIER("let its cores wait for each other between two launches of a call"),
    /// Every core reads what any core of an earlier launch of the same call has written, without a step that publishes it.
    COHERENT_MEMORY("show every core what an earlier launch of the same call wrote"),
    /// Between two launches of a call, the device configures each core that the next one runs on; that takes time for each core.
    CONFIGURES_CORES("configure the cores of each launch anew");

    private final String ability;

    DeviceTrait(String ability) {
        this.ability = ability;
    }

    /// As the end of "the device does not": `run several launches in one call`.
    public String ability() {
        return ability;
    }
}
