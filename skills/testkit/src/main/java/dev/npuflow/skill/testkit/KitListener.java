package dev.npuflow.skill.testkit;

import dev.npuflow.fault.OneLine;
import dev.npuflow.workflow.catalog.SkillFault;
import dev.npuflow.workflow.kit.KitResult;
import dev.npuflow.workflow.kit.KitResult.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/// Gathers what JUnit tells of a run: a result for each test, and for what keeps tests from running at all.
final class KitListener implements TestExecutionListener {

    private static final int LONGEST_REASON = 400;

    private final ClassLoader code;
    private final Optional<String> subject;
    private final List<KitResult> results = new ArrayList<>();
    private final Set<Class<?>> testClasses = new LinkedHashSet<>();
    private final Map<String, List<String>> notes = new LinkedHashMap<>();
    private Optional<TestPlan> plan = Optional.empty();

    /// @param code of the skill and its tests, whose frames are told
    KitListener(ClassLoader code) {
        this(code, Optional.empty());
    }

    /// One whose tests are all about the same.
    KitListener(ClassLoader code, String subject) {
        this(code, Optional.of(subject));
    }

    private KitListener(ClassLoader code, Optional<String> subject) {
        this.code = code;
        this.subject = subject;
    }

    List<KitResult> results() {
        return List.copyOf(results);
    }

    /// The classes whose tests were run.
    Set<Class<?>> testClasses() {
        return Set.copyOf(testClasses);
    }

    @Override public void testPlanExecutionStarted(TestPlan started) {
        plan = Optional.of(started);
    }

    @Override public void executionStarted(TestIdentifier test) {
        test.getSource().filter(ClassSource.class::isInstance).ifPresent(source -> testClasses.add(((ClassSource) source).getJavaClass()));
    }

    @Override public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        entry.getKeyValuePairs().forEach((key, value) ->
                notes.computeIfAbsent(test.getUniqueId(), _ -> new ArrayList<>()).add(OneLine.of("%s: %s".formatted(key, value), LONGEST_REASON)));
    }

    @Override public void executionSkipped(TestIdentifier test, String reason) {
        results.add(new KitResult(subject(test), name(test), Outcome.SKIPPED, OneLine.of(reason, LONGEST_REASON), List.of(), List.of()));
    }

    @Override public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
            SkillFault fault = result.getThrowable().map(thrown -> SkillFault.ofTest(thrown, code)).orElse(new SkillFault("", List.of()));
            results.add(new KitResult(subject(test), name(test), switch (result.getStatus()) {
                case SUCCESSFUL -> Outcome.PASS;
                case ABORTED -> Outcome.SKIPPED;
                case FAILED -> Outcome.FAIL;
            }, fault.reason(), fault.trace(), notes.getOrDefault(test.getUniqueId(), List.of())));
        }
    }

    private String subject(TestIdentifier test) {
        return subject.orElseGet(() -> test.getSource().map(KitListener::className).orElseGet(() -> parent(test).map(this::subject).orElse("tests")));
    }

    private static String className(TestSource source) {
        return switch (source) {
            case ClassSource type -> type.getClassName();
            case MethodSource method -> method.getClassName();
            default -> source.toString();
        };
    }

    /// An invocation of a parameterized test is told by what it is an invocation of, too. JUnit puts a method's parameters behind its name; they are no part of the question.
    private String name(TestIdentifier test) {
        boolean invocation = test.isTest() && parent(test).flatMap(TestIdentifier::getSource).filter(MethodSource.class::isInstance).isPresent();
        String own = test.getDisplayName();
        boolean hasParameters = !invocation && test.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast)
                .filter(method -> method.getMethodParameterTypes() != null && !method.getMethodParameterTypes().isBlank()).isPresent();
        String named = hasParameters ? own.replaceFirst(" \\([\\w, <>\\[\\]]+\\)$", "") : own;
        return OneLine.of(invocation ? "%s, %s".formatted(name(parent(test).orElseThrow()), named) : named, LONGEST_REASON);
    }

    private Optional<TestIdentifier> parent(TestIdentifier test) {
        return plan.flatMap(known -> known.getParent(test));
    }
}
