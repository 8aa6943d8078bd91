package dev.npuflow.npu.aie.limit;

import dev.npuflow.npu.launch.Blocker;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/// A limit of the hardware or of its tool chain: when it is broken, what the tool chain says, why, and what to try.
///
/// @param id      such as `L2_CAPACITY`
/// @param message quotes the tool chain where its text is known
/// @param remedy  what to do, a whole sentence
public record Limit(String id, Predicate<LaunchSite> broken, Function<LaunchSite, String> message, String cause,
        Function<LaunchSite, String> remedy) {

    public static Limit limit(String id, Predicate<LaunchSite> broken, Function<LaunchSite, String> message, String cause, String remedy) {
        return new Limit(id, broken, message, cause, site -> remedy);
    }

    public static Limit limit(String id, Predicate<LaunchSite> broken, Function<LaunchSite, String> message, String cause,
            Function<LaunchSite, String> remedy) {
        return new Limit(id, broken, message, cause, remedy);
    }

    /// The limits among `limits` that the launch breaks, in order.
    public static List<Blocker> check(LaunchSite site, List<Limit> limits) {
        return limits.stream()
                .filter(limit -> limit.broken.test(site))
                .map(limit -> new Blocker(limit.id, site.launch().name(), limit.message.apply(site), limit.cause, limit.remedy.apply(site)))
                .toList();
    }
}
