package dev.npuflow.npu.device;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// Something that a device does or does not do and that decides which plans are right or worth trying on it: 1 or 0 in section `traits` of its file.
public enum Trait {
    /// A call holds several launches, which run one after the other without the host.
    CHAINED_CALLS,
    /// Between two launches of a call, all cores wait until the first one has ended.
    DEVICE_BARRIER,
    /// Every core reads what any core of an earlier launch of the same call has written, without a step that publishes it.
    COHERENT_MEMORY,
    /// Between two launches of a call, each core that the next one runs on is configured.
    CONFIGURES_CORES;

    /// Such as `traits.chained_calls`.
    public String field() {
        return "traits." + name().toLowerCase(Locale.ROOT);
    }

    /// Reads the section `traits`: a file says of each trait whether the device has it.
    ///
    /// @throws dev.npuflow.fault.NpuflowException NPF-305 for one that is left out, NPF-306 for what is neither 0 nor 1
    public static Set<Trait> read(FieldReader fields) {
        EnumSet<Trait> traits = EnumSet.noneOf(Trait.class);
        for (Trait trait : values()) {
            if (fields.whole(trait.field(), 0, 1) == 1) {
                traits.add(trait);
            }
        }
        return Collections.unmodifiableSet(traits);
    }
}
