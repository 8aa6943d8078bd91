package dev.npuflow.skill.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.kit.KitResult;
import dev.npuflow.workflow.kit.SkillKit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs tests and kit with JUnit's launcher, in this process, one after the other in the order of their names.
public final class JUnitKit implements SkillKit {

    private static final LauncherConfig NOTHING_ELSE = LauncherConfig.builder().enableLauncherSessionListenerAutoRegistration(false)
            .enableLauncherDiscoveryListenerAutoRegistration(false).enablePostDiscoveryFilterAutoRegistration(false).enableTestExecutionListenerAutoRegistration(false).build();

    /// A test that hangs in its own code ends then; a skill that hangs is left behind much earlier, see [SkillTest#limit].
    private static final String TEST_LIMIT = "10 m";

    @Override public List<KitResult> run(Request request) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(request.classes());
        try {
            KitListener listener = new KitListener(request.classes());
            request.tests().ifPresent(tests -> execute(request, selectClasspathRoots(Set.of(tests)), "", listener));
            Set<Class<?>> tested = listener.testClasses().stream().flatMap(test -> TestedSkill.of(test).stream()).collect(Collectors.toUnmodifiableSet());
            List<KitResult> results = new ArrayList<>(listener.results());
            for (LoadedSkill skill : request.skills()) {
                if (!tested.contains(skill.skill().getClass())) {
                    KitListener kit = new KitListener(request.classes(), skill.name() + ", which has no test of its own");
                    execute(request, List.of(selectClass(UntestedSkillTest.class)), skill.skill().getClass().getName(), kit);
                    results.addAll(kit.results());
                }
            }
            return results;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void execute(Request request, List<? extends DiscoverySelector> selectors, String skill, KitListener listener) {
        LauncherDiscoveryRequest tests = LauncherDiscoveryRequestBuilder.request().selectors(selectors)
                .configurationParameter("junit.jupiter.displayname.generator.default", DisplayNameGenerator.ReplaceUnderscores.class.getName())
                .configurationParameter("junit.jupiter.testmethod.order.default", MethodOrderer.MethodName.class.getName())
                .configurationParameter("junit.jupiter.execution.timeout.default", TEST_LIMIT)
                .configurationParameter("junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
                .configurationParameter(UntestedSkillTest.SKILL, skill)
                .configurationParameter(UntestedSkillTest.LIMIT, request.limit().toString()).build();
        LauncherFactory.create(NOTHING_ELSE).execute(tests, listener);
    }
}
