package dev.npuflow.workflow.catalog;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillOption;
import dev.npuflow.workflow.catalog.GuardedCall.NoAnswer;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog.RejectedSkill;
import dev.npuflow.workflow.file.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/// Gathers the providers of one loader after the other, each skill called as a stranger's from its constructor on.
final class SkillProviders {

    private static final int MOST_BAD_PROVIDERS = 100;
    private static final int MOST_OPTIONS = 64;
    private static final int LONGEST_SERVICE_FILE = 1 << 16;

    private final Duration limit;
    private final List<LoadedSkill> skills = new ArrayList<>();
    private final List<RejectedSkill> rejected = new ArrayList<>();

    SkillProviders(Duration limit) {
        this.limit = limit;
    }

    SkillCatalog catalog() {
        return SkillCatalog.sorted(skills, rejected);
    }

    /// A jar's loader also sees the built-in providers of its parent; only those that it loaded itself are its own.
    void collect(ClassLoader loader, String origin) {
        GuardedCall guard = new GuardedCall("skill of " + origin, loader, limit);
        Iterator<ServiceLoader.Provider<Skill>> providers = ServiceLoader.load(Skill.class, loader).stream().iterator();
        int failures = 0;
        while (failures < MOST_BAD_PROVIDERS) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                ServiceLoader.Provider<Skill> provider = providers.next();
                if (provider.type().getClassLoader() == loader) {
                    load(provider, guard, origin);
                }
            } catch (ServiceConfigurationError | LinkageError unreadable) {
                failures++;
                reject(origin, SkillFault.of(String.valueOf(unreadable.getMessage())));
            }
        }
    }

    /// A file of the skills directory: one in which there is no skill is told of, too.
    void collect(Path jar) {
        int before = skills.size() + rejected.size();
        String origin = jar.getFileName().toString();
        try {
            // A pipe of this name would keep the loader waiting for a writer.
            RegularFile.require(jar);
        } catch (NpuflowException noFile) {
            reject(origin, SkillFault.of(noFile.getMessage()));
            return;
        }
        if (serviceIsEndless(jar)) {
            reject(origin, SkillFault.of("its service file has more than %d bytes".formatted(LONGEST_SERVICE_FILE)));
            return;
        }
        collect(SkillClassLoader.of(List.of(jar), SkillCatalog.class.getClassLoader()), origin);
        if (skills.size() + rejected.size() == before) {
            reject(origin, SkillFault.of(isArchive(jar) ? "it names no skill in META-INF/services/" + Skill.class.getName() : "it is no jar"));
        }
    }

    /// A packed line of gigabytes takes kilobytes.
    private static boolean serviceIsEndless(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            ZipEntry service = file.getEntry("META-INF/services/" + Skill.class.getName());
            if (service == null) {
                return false;
            }
            try (InputStream in = file.getInputStream(service)) {
                return in.readNBytes(LONGEST_SERVICE_FILE + 1).length > LONGEST_SERVICE_FILE;
            }
        } catch (IOException | IllegalArgumentException broken) {
            return false;
        }
    }

    private static boolean isArchive(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.entries().hasMoreElements();
        } catch (IOException broken) {
            return false;
        }
    }

    private void load(ServiceLoader.Provider<Skill> provider, GuardedCall guard, String origin) {
        switch (guard.call("its constructor", provider::get)) {
            case Answer.Value(Skill skill) -> named(skill, guard, origin);
            case Answer.Crash(SkillFault fault) -> reject(origin, new SkillFault("%s: %s".formatted(provider.type().getName(), fault.reason()), fault.trace()));
        }
    }

    private void named(Skill skill, GuardedCall guard, String origin) {
        String type = skill.getClass().getName();
        switch (self(skill, guard, origin)) {
            case Answer.Value(LoadedSkill found) -> accept(found);
            case Answer.Crash(SkillFault fault) -> reject(origin, new SkillFault("%s: %s".formatted(type, fault.reason()), fault.trace()));
        }
    }

    /// What the skill says of itself, each thing asked once.
    private static Answer<LoadedSkill> self(Skill skill, GuardedCall guard, String origin) {
        return switch (guard.call("name", skill::name)) {
            case Answer.Crash(SkillFault fault) -> new Answer.Crash<>(fault);
            case Answer.Value(String name) -> switch (guard.call("order", skill::order)) {
                case Answer.Crash(SkillFault fault) -> new Answer.Crash<>(fault);
                case Answer.Value(Integer order) -> guard.call("options", () -> new LoadedSkill(name, skill, origin, order, options(skill)));
            };
        };
    }

    /// @throws NoAnswer for two of one name, or without end
    private static List<SkillOption> options(Skill skill) {
        List<SkillOption> options = skill.options().stream().limit(MOST_OPTIONS + 1L).toList();
        if (options.size() > MOST_OPTIONS) {
            throw new NoAnswer("more than %d options".formatted(MOST_OPTIONS));
        }
        if (options.stream().map(SkillOption::name).distinct().count() < options.size()) {
            throw new NoAnswer("two options of one name");
        }
        return options;
    }

    private void accept(LoadedSkill found) {
        String type = found.skill().getClass().getName();
        Optional<LoadedSkill> holder = skills.stream().filter(loaded -> loaded.name().equals(found.name())).findFirst();
        if (!SkillName.fits(found.name())) {
            reject(found.origin(), SkillFault.of("%s: its name is not lower case words joined by hyphens".formatted(type)));
        } else if (holder.isPresent()) {
            reject(found.origin(), SkillFault.of("%s: the name %s is taken by a skill that is %s".formatted(type, found.name(), whence(holder.get()))));
        } else {
            skills.add(found);
        }
    }

    private static String whence(LoadedSkill holder) {
        return holder.origin().equals(SkillCatalog.BUILT_IN) ? SkillCatalog.BUILT_IN : "in " + holder.origin();
    }

    private void reject(String origin, SkillFault fault) {
        rejected.add(new RejectedSkill(GuardedCall.line(origin), GuardedCall.line(fault.reason()), fault.trace()));
    }
}
