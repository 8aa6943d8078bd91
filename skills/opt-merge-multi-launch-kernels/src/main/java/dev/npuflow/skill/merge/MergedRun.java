package dev.npuflow.skill.merge;

import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.skill.Attempt;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.SkillContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// One run of neighbouring calls, merged as far as the device takes it. Earlier attempts are gone through from the first one on: the same search made them, so what
/// each blocker names is known.
final class MergedRun {

    /// Limit that a launch may break with ping-pong and keep without.
    private static final String CORE_MEMORY = "L1_CAPACITY";

    private final PhasePlan plan;
    private final List<NpuCall> run;
    private final SkillContext context;
    private final GroupSearch search;
    private final Map<Span, Group> tried = new HashMap<>();
    /// Calls that the compiler had no room for beside a second buffer.
    private final Set<Integer> withoutPingPong = new TreeSet<>();

    MergedRun(PhasePlan plan, List<NpuCall> run, SkillContext context) {
        this.plan = plan;
        this.run = List.copyOf(run);
        this.context = context;
        this.search = new GroupSearch(run.size(), span -> group(span).call.isPresent());
    }

    /// A span as one call, or why it is none.
    private record Group(Optional<NpuCall> call, String obstacle) {}

    List<NpuCall> calls() {
        List<Span> groups = search.best();
        for (Attempt attempt : context.earlierAttempts()) {
            if (blamed(groups, attempt)) {
                groups = search.best();
            }
        }
        return groups.stream().map(this::call).toList();
    }

    /// Why no pair of neighbours became one call.
    List<String> obstacles() {
        return IntStream.range(1, run.size()).mapToObj(i -> group(new Span(i - 1, i + 1)).obstacle).filter(text -> !text.isEmpty()).toList();
    }

    private NpuCall call(Span span) {
        return span.size() == 1 ? run.get(span.from()) : group(span).call.orElseThrow();
    }

    private boolean blamed(List<Span> groups, Attempt attempt) {
        boolean any = false;
        for (Span span : groups) {
            if (span.size() > 1) {
                NpuCall call = call(span);
                List<Blocker> blockers = attempt.blockers().stream().filter(blocker -> Blame.isOn(call, context.phase(), blocker)).toList();
                any |= !blockers.isEmpty();
                learn(span, call, blockers);
            }
        }
        return any;
    }

    private void learn(Span span, NpuCall call, List<Blocker> blockers) {
        List<Blocker> memory = blockers.stream().filter(blocker -> blocker.limit().equals(CORE_MEMORY)).toList();
        if (call.options().pingPong() && !memory.isEmpty()) {
            List<Integer> named = numbers(span, call, memory);
            withoutPingPong.addAll(named.isEmpty() ? List.of(span.from()) : named);
            tried.keySet().removeIf(other -> withoutPingPong.stream().anyMatch(number -> other.holds(new Span(number, number + 1))));
        } else if (!blockers.isEmpty()) {
            search.failed(span, numbers(span, call, blockers));
        }
    }

    /// Which calls of the run blockers name. The launches of a group are those of its calls, in order.
    private List<Integer> numbers(Span span, NpuCall call, List<Blocker> blockers) {
        List<Integer> owners = IntStream.range(span.from(), span.to()).boxed()
                .flatMap(number -> run.get(number).launches().stream().map(_ -> number)).toList();
        return blockers.stream().flatMap(blocker -> Blame.launch(call, blocker).stream().boxed()).map(owners::get).distinct().sorted().toList();
    }

    private Group group(Span span) {
        return tried.computeIfAbsent(span, asked -> group(run.subList(asked.from(), asked.to()),
                withoutPingPong.stream().noneMatch(number -> asked.holds(new Span(number, number + 1)))));
    }

    /// With ping-pong if every launch still places with it, else without.
    private Group group(List<NpuCall> members, boolean mayPingPong) {
        Optional<NpuCall> joined = new CallMerge(plan, members).joined(GroupName.of(plan, members));
        if (joined.isEmpty()) {
            return new Group(Optional.empty(), "%s is needed on the host in another form".formatted(members.getLast().name()));
        }
        int loopTiling = members.getFirst().options().loopTiling();
        List<Blocker> blockers = new ArrayList<>();
        for (boolean pingPong : mayPingPong ? new boolean[] {true, false} : new boolean[] {false}) {
            NpuCall call = joined.get().withOptions(new ElfOptions(pingPong, loopTiling));
            List<Blocker> found = context.placement().check(call);
            if (found.isEmpty()) {
                return new Group(Optional.of(call), "");
            }
            blockers.addAll(found);
        }
        return new Group(Optional.empty(), "%s: %s".formatted(joined.get().name(), blockers.getLast().message()));
    }
}
