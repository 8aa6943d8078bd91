package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.catalog.SkillCatalog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Which skills there are and what they are told, for every command that applies some.
final class SkillOptions {

    private static final String CONSERVATIVE = "conservative";
    private static final String ON = "on";

    @Option(names = "--skills-dir", paramLabel = "DIR", description = "folder with jars of more skills")
    private Path skillsDirectory;

    @Option(names = "--skill-option", paramLabel = "KEY=VALUE", description = "an option of the skills, listed below; of ablate, those of the Phase 5 if none is given")
    private Map<String, String> skillOptions = new TreeMap<>();

    @Mixin private SkillLimit limit = new SkillLimit();

    @Option(names = "--conservative",
            description = "upstream's split: merge only what mlir-air builds in one ELF, and leave to the host what it leaves there; short for --skill-option conservative=on")
    private boolean conservative;

    /// @throws NpuflowException NPF-702 or NPF-703 for `--skills-dir`, NPF-707 for `--skill-limit`
    SkillCatalog catalog() {
        return SkillCatalog.load(Optional.ofNullable(skillsDirectory), limit());
    }

    /// What one call of a skill may take.
    ///
    /// @throws NpuflowException NPF-707
    Duration limit() {
        return limit.duration();
    }

    /// @param catalog whose skills declare what there is
    /// @throws NpuflowException NPF-836 where `--conservative` and `--skill-option` disagree, NPF-716 for an unknown name, NPF-717 for a value that it does not take
    SortedMap<String, String> options(SkillCatalog catalog) {
        SortedMap<String, String> options = new TreeMap<>(skillOptions);
        if (conservative && !options.getOrDefault(CONSERVATIVE, ON).equals(ON)) {
            throw NpuflowException.badInput("NPF-836", "--skill-option %s beside --conservative".formatted(CONSERVATIVE), options.get(CONSERVATIVE),
                    "one of the two", "leaving one of them out");
        }
        if (conservative) {
            options.put(CONSERVATIVE, ON);
        }
        return catalog.requireOptions(options);
    }
}
