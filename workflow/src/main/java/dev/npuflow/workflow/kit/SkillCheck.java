package dev.npuflow.workflow.kit;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog.RejectedSkill;
import dev.npuflow.workflow.catalog.SkillClassLoader;
import dev.npuflow.workflow.file.FileReason;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/// Runs the kit on a built skill.
public final class SkillCheck {

    private static final String LOADED = "a skill is loaded";
    private static final String NAMED = "a skill has a name of its own";

    private final ClassLoader kitClasses;
    private final Duration limit;

    /// @throws NpuflowException NPF-715 if the kit is not there
    public SkillCheck(Duration limit) {
        this.kitClasses = kit(SkillCheck.class.getClassLoader()).isPresent() ? SkillCheck.class.getClassLoader() : besideTheProduct();
        this.limit = limit;
    }

    public List<KitResult> check(SkillBuild build) {
        SkillClassLoader classes = SkillClassLoader.of(build.classPath(), kitClasses);
        String subject = build.classes().toString();
        SkillCatalog catalog = SkillCatalog.loadOnly(classes, build.classes().getFileName().toString(), limit);
        List<KitResult> results = new ArrayList<>();
        catalog.rejected().forEach(rejected -> results.add(rejection(subject, rejected)));
        if (results.isEmpty() && catalog.skills().isEmpty()) {
            results.add(KitResult.failed(subject, LOADED, "META-INF/services/dev.npuflow.skill.Skill names no class of it", List.of()));
        }
        catalog.skills().stream().filter(SkillCheck::isTaken)
                .forEach(skill -> results.add(KitResult.failed(subject, NAMED, "a built-in skill is called %s, too".formatted(skill.name()), List.of())));
        results.addAll(kit(kitClasses).orElseThrow().run(new SkillKit.Request(classes, catalog.skills(), build.tests(), limit)));
        return results;
    }

    private static KitResult rejection(String subject, RejectedSkill rejected) {
        return KitResult.failed(subject, LOADED, rejected.reason(), rejected.trace());
    }

    private static boolean isTaken(LoadedSkill skill) {
        return SkillCatalog.load(Optional.empty()).skills().stream().anyMatch(builtIn -> builtIn.name().equals(skill.name()));
    }

    private static Optional<SkillKit> kit(ClassLoader loader) {
        return ServiceLoader.load(SkillKit.class, loader).findFirst();
    }

    /// The jars in `testkit`, beside the jar that this class came from.
    private static ClassLoader besideTheProduct() {
        Path directory = product().resolveSibling("testkit");
        try (Stream<Path> files = Files.list(directory)) {
            URL[] jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().map(SkillCheck::url).toArray(URL[]::new);
            ClassLoader loader = new URLClassLoader("testkit", jars, SkillCheck.class.getClassLoader());
            if (kit(loader).isPresent()) {
                return loader;
            }
            throw missing(directory, "no kit in it");
        } catch (IOException e) {
            throw missing(directory, FileReason.of(e));
        }
    }

    private static Path product() {
        try {
            return Path.of(SkillCheck.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a class of ours has a place", e);
        }
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("a file always has a URL", e);
        }
    }

    private static NpuflowException missing(Path directory, String why) {
        return NpuflowException.environment("NPF-715", "test kit (%s: %s)".formatted(directory, why), "the jars of npuflow-skill-testkit", "make build");
    }
}
