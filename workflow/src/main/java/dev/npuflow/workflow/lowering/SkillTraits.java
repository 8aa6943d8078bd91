package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.skill.DeviceTrait;
import java.util.Set;
import java.util.stream.Collectors;

/// A device's traits in the words of skills. Both sides know their own type: the simulator knows no skill, a skill knows no simulator.
public final class SkillTraits {

    private SkillTraits() {}

    public static Set<DeviceTrait> of(DeviceDescription device) {
        return device.traits().stream().map(SkillTraits::of).collect(Collectors.toUnmodifiableSet());
    }

    private static DeviceTrait of(dev.npuflow.npu.device.Trait trait) {
        return switch (trait) {
            case CHAINED_CALLS -> DeviceTrait.CHAINED_CALLS;
            case DEVICE_BARRIER -> DeviceTrait.DEVICE_BARRIER;
            case COHERENT_MEMORY -> DeviceTrait.COHERENT_MEMORY;
            case CONFIGURES_CORES -> DeviceTrait.CONFIGURES_CORES;
        };
    }
}
