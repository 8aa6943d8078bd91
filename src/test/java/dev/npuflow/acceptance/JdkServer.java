package dev.npuflow.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Serves an archive from this machine, and counts how often it was asked for.
final class JdkServer implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger requests = new AtomicInteger();

    JdkServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    /// What a JDK's archive looks like: one directory, with `release` and `bin/java`.
    static byte[] archiveOf(Path directory) throws IOException, InterruptedException {
        Path archive = Files.createTempFile(directory.getParent(), "archive", ".tar.gz");
        Process tar = new ProcessBuilder("tar", "-czf", archive.toString(), "-C", directory.getParent().toString(), directory.getFileName().toString())
                .inheritIO().start();
        if (tar.waitFor() != 0) {
            throw new IOException("tar ended with " + tar.exitValue());
        }
        return Files.readAllBytes(archive);
    }

    String address() {
        return "http://%s:%d/jdk-25.tar.gz".formatted(server.getAddress().getHostString(), server.getAddress().getPort());
    }

    int requests() {
        return requests.get();
    }

    /// The lines of `jdk.lock` that pin `archive` at this address.
    String lock(byte[] archive) throws GeneralSecurityException {
        String sum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
        return "# a test's\nlinux-x64 %1$s 7 %2$s\nlinux-aarch64 %1$s 7 %2$s\n".formatted(sum, address());
    }

    /// Answers every request with these bytes.
    void serve(byte[] body) {
        serve(exchange -> answer(exchange, body, body.length));
    }

    void serve(HttpHandler handler) {
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            try (exchange) {
                handler.handle(exchange);
            }
        });
    }

    /// @param announced the length in bytes that the header tells, at least that of `body`
    static void answer(HttpExchange exchange, byte[] body, long announced) throws IOException {
        exchange.sendResponseHeaders(200, announced);
        exchange.getResponseBody().write(body);
        exchange.getResponseBody().flush();
    }

    @Override public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
