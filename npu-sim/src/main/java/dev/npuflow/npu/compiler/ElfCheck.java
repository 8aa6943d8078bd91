package dev.npuflow.npu.compiler;

import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.ElfDescription.ArgumentDescription;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.DeviceDescription;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What an ELF has to be before its launches are looked at.
final class ElfCheck {

    private ElfCheck() {}

    static List<Blocker> check(ElfDescription elf, DeviceDescription device) {
        List<Blocker> blockers = new ArrayList<>();
        if (elf.launches().isEmpty()) {
            blockers.add(new Blocker("EMPTY_ELF", elf.name(), "ELF %s has no launches".formatted(elf.name()),
                    "an ELF is a sequence of launches", "Put at least one launch into the ELF."));
        }
        if (elf.loopTiling() < 1) {
            blockers.add(new Blocker("LOOP_TILING", elf.name(), "runtime loop tiling %d".formatted(elf.loopTiling()),
                    "a loop is cut into a whole number of parts", "Use 1 for no tiling, or a larger number."));
        }
        Set<String> names = new HashSet<>();
        for (LaunchDescription launch : elf.launches()) {
            if (!names.add(launch.name())) {
                blockers.add(new Blocker("DUPLICATE_LAUNCH", launch.name(), "redefinition of symbol named '%s'".formatted(launch.name()),
                        "launches of an ELF share one name space", "Give each launch a name of its own."));
            }
        }
        for (ArgumentDescription argument : elf.arguments()) {
            if (argument.bytes() <= 0 || argument.bytes() > device.largestBuffer()) {
                blockers.add(new Blocker("ARGUMENT_SIZE", elf.name(),
                        "argument %s has %d bytes, outside [1:%d]".formatted(argument.name(), argument.bytes(), device.largestBuffer()),
                        "a buffer descriptor's byte offset has 32 bits", "Cut the argument into parts of at most %d bytes, none of them empty.".formatted(device.largestBuffer())));
            }
        }
        return blockers;
    }
}
