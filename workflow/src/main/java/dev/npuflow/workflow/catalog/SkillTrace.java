package dev.npuflow.workflow.catalog;

import dev.npuflow.fault.OneLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Says what a skill threw or where it hangs, by the frames of its own code. Whatever a skill throws is a stranger's object: its message and its cause may throw
/// too, so this runs where the skill ran.
final class SkillTrace {

    private static final int MOST_FRAMES = 12;
    private static final int MOST_CAUSES = 4;
    private static final int LONGEST_LINE = 160;
    private static final int LONGEST_REASON = 400;
    private static final Set<String> CALLERS = Set.of(GuardedCall.class.getName(), GuardedSkill.class.getName(), SkillCatalog.class.getName());

    private final String method;
    private final String loader;

    /// @param method of the skill, as the reason names it
    /// @param code   of the skill
    SkillTrace(String method, ClassLoader code) {
        this.method = method;
        this.loader = Objects.requireNonNullElse(code.getName(), "");
    }

    SkillFault thrown(Throwable thrown) {
        try {
            List<Throwable> chain = chain(thrown);
            List<String> lines = new ArrayList<>();
            for (Throwable each : chain) {
                lines.add((lines.isEmpty() ? "" : "caused by ") + header(each));
                lines.addAll(frames(each.getStackTrace(), each instanceof StackOverflowError));
            }
            Optional<Throwable> end = chain.stream().filter(ProcessEnd.class::isInstance).findFirst();
            Throwable root = end.orElse(chain.getLast());
            String what = end.isPresent() ? "called " + end.get().getMessage() : "threw " + header(root);
            return new SkillFault("%s %s%s".formatted(method, what, place(Stream.concat(own(root.getStackTrace()), own(thrown.getStackTrace())))), lines);
        } catch (Throwable unspeakable) {
            return SkillFault.of("%s threw %s".formatted(method, OneLine.of(thrown.getClass().getSimpleName(), LONGEST_LINE)));
        }
    }

    /// As [#thrown], of a test: that it threw goes without saying.
    SkillFault test(Throwable thrown) {
        try {
            String said = Objects.requireNonNullElse(thrown.getMessage(), "");
            String reason = thrown instanceof AssertionError && !said.isBlank() ? OneLine.of(said, LONGEST_REASON) : header(thrown);
            return new SkillFault(reason, frames(thrown.getStackTrace(), thrown instanceof StackOverflowError));
        } catch (Throwable unspeakable) {
            return SkillFault.of(OneLine.of(thrown.getClass().getSimpleName(), LONGEST_LINE));
        }
    }

    SkillFault late(Duration limit, StackTraceElement[] stack) {
        String time = limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
        return new SkillFault("%s did not return within %s%s".formatted(method, time, place(own(stack))), frames(stack, false));
    }

    /// From what was thrown to its root; a circle of causes ends too.
    private static List<Throwable> chain(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable each = thrown; each != null && chain.size() < MOST_CAUSES && !chain.contains(each); each = each.getCause()) {
            chain.add(each);
        }
        return chain;
    }

    private static String header(Throwable thrown) {
        String message = thrown.getMessage();
        String type = thrown.getClass().getSimpleName();
        return OneLine.of(message == null || message.isBlank() ? type : type + ": " + message, LONGEST_LINE);
    }

    /// @param recurses where in the circle the stack ended is chance: each frame is told once, in alphabetical order
    private List<String> frames(StackTraceElement[] stack, boolean recurses) {
        List<String> all = own(stack).map(frame -> OneLine.of("at %s.%s(%s)".formatted(frame.getClassName(), frame.getMethodName(), position(frame)), LONGEST_LINE)).toList();
        List<String> told = recurses ? all.stream().distinct().sorted().toList() : all;
        List<String> lines = new ArrayList<>(told.subList(0, Math.min(MOST_FRAMES, told.size())));
        if (recurses) {
            lines.add("and so on, without an end");
        } else if (told.size() > MOST_FRAMES) {
            lines.add("and %d more".formatted(told.size() - MOST_FRAMES));
        }
        return lines;
    }

    /// The frames of the skill's loader, down to where we called it.
    private Stream<StackTraceElement> own(StackTraceElement[] stack) {
        return Arrays.stream(stack).takeWhile(frame -> !CALLERS.contains(frame.getClassName().split("\\$", 2)[0]))
                .filter(frame -> loader.equals(frame.getClassLoaderName()));
    }

    private static String place(Stream<StackTraceElement> frames) {
        return frames.findFirst().map(frame -> " (%s)".formatted(OneLine.of(position(frame), LONGEST_LINE))).orElse("");
    }

    private static String position(StackTraceElement frame) {
        String file = Objects.requireNonNullElse(frame.getFileName(), "source unknown");
        return frame.getLineNumber() > 0 ? file + ":" + frame.getLineNumber() : file;
    }
}
