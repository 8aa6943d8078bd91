package dev.npuflow.workflow.kit;

import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The test kit, found by `ServiceLoader`: it depends on npuflow, and npuflow's class path does not hold it.
public interface SkillKit {

    /// What is to be checked.
    ///
    /// @param classes loads the skills, their tests and the kit
    /// @param skills  of these classes
    /// @param tests   the directory of test classes
    /// @param limit   of one call of a skill that has no test of its own
    record Request(ClassLoader classes, List<LoadedSkill> skills, Optional<Path> tests, Duration limit) {

        public Request {
            skills = List.copyOf(skills);
        }
    }

    /// Runs the tests, and the kit's own checks on each skill that no test implements them for.
    List<KitResult> run(Request request);
}
