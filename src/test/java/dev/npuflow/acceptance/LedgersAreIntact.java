package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.workflow.ledger.Ledger;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.io.TempDir;

/// Whatever a test does with npuflow, the ledgers that it leaves are whole: no plan was kept and no run passed without a PASS and a measurement in its own run, and the
/// chain of records holds. Applies to every test by itself; see [TampersWithLedgers].
public final class LedgersAreIntact implements AfterEachCallback, AfterAllCallback, InvocationInterceptor {

    /// A workspace in a copy of the tree, in a directory of the test.
    private static final int DEPTH = 6;

    @Override public void afterEach(ExtensionContext context) throws IOException, IllegalAccessException {
        Class<?> type = context.getRequiredTestClass();
        if (context.getExecutionException().isEmpty() && looksAt(type)) {
            check(folders(type, Optional.of(context.getRequiredTestInstance())));
        }
    }

    @Override public void afterAll(ExtensionContext context) throws IOException, IllegalAccessException {
        if (looksAt(context.getRequiredTestClass())) {
            check(folders(context.getRequiredTestClass(), Optional.empty()));
        }
    }

    @Override public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        invocation.proceed();
        if (looksAt(context.getRequiredTestClass())) {
            check(method.getArguments().stream().filter(Path.class::isInstance).map(Path.class::cast).toList());
        }
    }

    private static boolean looksAt(Class<?> type) {
        return !type.isAnnotationPresent(TampersWithLedgers.class);
    }

    /// The temporary directories of a test, or those that its tests share.
    private static List<Path> folders(Class<?> type, Optional<Object> instance) throws IllegalAccessException {
        List<Path> folders = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (field.isAnnotationPresent(TempDir.class) && Modifier.isStatic(field.getModifiers()) == instance.isEmpty()) {
                field.setAccessible(true);
                folders.add((Path) Objects.requireNonNull(field.get(instance.orElse(null))));
            }
        }
        return folders;
    }

    private static void check(List<Path> folders) throws IOException {
        for (Path folder : folders) {
            for (Path ledger : ledgers(folder)) {
                try (Ledger read = Ledger.openToRead(ledger.getParent()).orElseThrow()) {
                    assertEquals(List.of(), read.audit(Optional.empty()).findings(), ledger.toString());
                }
            }
        }
    }

    private static List<Path> ledgers(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.find(folder, DEPTH, (path, attributes) -> attributes.isRegularFile() && attributes.size() > 0 && path.endsWith("ledger.sqlite"))) {
            return files.toList();
        }
    }
}
