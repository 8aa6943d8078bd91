package dev.npuflow.npu.compiler;

import dev.npuflow.npu.launch.Blocker;
import java.util.List;

/// What the compiler answers.
public sealed interface Compilation {

    /// The ELF builds. `warnings` are texts about what builds and is doubtful.
    record Built(Executable executable, List<String> warnings) implements Compilation {
        public Built {
            warnings = List.copyOf(warnings);
        }
    }

    /// The ELF does not build; at least one blocker.
    record Refused(List<Blocker> blockers) implements Compilation {
        public Refused {
            blockers = List.copyOf(blockers);
        }
    }
}
