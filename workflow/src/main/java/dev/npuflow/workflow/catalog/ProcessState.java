package dev.npuflow.workflow.catalog;

import java.io.InputStream;
import java.io.PrintStream;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What one part of a process can set for all of it: a stranger's code that is called and gone must not have changed how npuflow writes a number, what a hash is,
/// or where an answer goes.
///
/// @param all        the properties themselves
/// @param properties what Java and npuflow go by of them, as it was; those of other libraries may be set at any time by the libraries themselves
record ProcessState(Locale locale, Locale display, Locale format, TimeZone zone, InputStream in, PrintStream out, PrintStream err, Properties all,
        SortedMap<String, Object> properties, List<Provider> providers, Thread.@Nullable UncaughtExceptionHandler handler) {

    private static final Pattern OURS = Pattern.compile("(java|javax|jdk|sun|user|file|line|path|os|native|std(in|out|err)|https?|npuflow)\\..*");

    static ProcessState now() {
        return new ProcessState(Locale.getDefault(), Locale.getDefault(Locale.Category.DISPLAY), Locale.getDefault(Locale.Category.FORMAT), TimeZone.getDefault(),
                System.in, System.out, System.err, System.getProperties(), ours(System.getProperties()), List.of(Security.getProviders()),
                Thread.getDefaultUncaughtExceptionHandler());
    }

    /// Puts everything back as it was.
    ///
    /// @return what was another, in words
    List<String> restore() {
        List<String> changed = new ArrayList<>();
        if (!Locale.getDefault().equals(locale) || !Locale.getDefault(Locale.Category.DISPLAY).equals(display)
                || !Locale.getDefault(Locale.Category.FORMAT).equals(format)) {
            Locale.setDefault(locale);
            Locale.setDefault(Locale.Category.DISPLAY, display);
            Locale.setDefault(Locale.Category.FORMAT, format);
            changed.add("the default locale");
        }
        if (!TimeZone.getDefault().equals(zone)) {
            TimeZone.setDefault(zone);
            changed.add("the default time zone");
        }
        if (System.in != in || System.out != out || System.err != err) {
            System.setIn(in);
            System.setOut(out);
            System.setErr(err);
            changed.add("a standard stream");
        }
        if (restoreProperties()) {
            changed.add("system properties");
        }
        if (!sameProviders()) {
            restoreProviders();
            changed.add("the security providers");
        }
        if (Thread.getDefaultUncaughtExceptionHandler() != handler) {
            Thread.setDefaultUncaughtExceptionHandler(handler);
            changed.add("what becomes of uncaught exceptions");
        }
        return List.copyOf(changed);
    }

    /// Key by key: other threads read properties meanwhile.
    private boolean restoreProperties() {
        boolean replaced = System.getProperties() != all;
        System.setProperties(all);
        SortedMap<String, Object> now = ours(all);
        if (now.equals(properties)) {
            return replaced;
        }
        now.keySet().stream().filter(key -> !properties.containsKey(key)).forEach(all::remove);
        all.putAll(properties);
        return true;
    }

    private static SortedMap<String, Object> ours(Properties all) {
        SortedMap<String, Object> ours = new TreeMap<>();
        all.forEach((key, value) -> {
            if (key instanceof String name && OURS.matcher(name).matches()) {
                ours.put(name, value);
            }
        });
        return Collections.unmodifiableSortedMap(ours);
    }

    /// The same objects: what a provider holds is its own affair.
    private boolean sameProviders() {
        Provider[] now = Security.getProviders();
        return now.length == providers.size() && IntStream.range(0, now.length).allMatch(i -> now[i] == providers.get(i));
    }

    private void restoreProviders() {
        for (Provider provider : Security.getProviders()) {
            Security.removeProvider(provider.getName());
        }
        for (int i = 0; i < providers.size(); i++) {
            Security.insertProviderAt(providers.get(i), i + 1);
        }
    }
}
