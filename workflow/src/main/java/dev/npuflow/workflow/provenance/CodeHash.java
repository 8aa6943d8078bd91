package dev.npuflow.workflow.provenance;

import dev.npuflow.workflow.file.ContentHash;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/// SHA-256 of code, by what it holds and not by when or where it was built: a jar and the directory that it was packed from have one hash.
public final class CodeHash {

    private static final String DESCRIPTION_OF_A_JAR = "META-INF/MANIFEST.MF";
    private static final String DESCRIPTION_OF_A_BUILD = "META-INF/maven/";

    private CodeHash() {}

    /// Where a class was loaded from; empty for one that no file holds.
    public static Optional<Path> place(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        try {
            URI place = source.getLocation().toURI();
            return "file".equals(place.getScheme()) ? Optional.of(Path.of(place)) : Optional.empty();
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// Of every file in a jar or a directory of classes, by name.
    ///
    /// @return 64 digits in hex
    /// @throws UncheckedIOException if it cannot be read
    public static String ofEntries(Path place) {
        try {
            MessageDigest digest = ContentHash.sha256();
            (Files.isDirectory(place) ? directory(place) : jar(place)).forEach((name, hash) -> digest.update((name + " " + hash + "\n").getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Of a file's bytes, as `sha256sum` prints it.
    ///
    /// @throws UncheckedIOException if it cannot be read
    public static String ofFile(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return hash(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SortedMap<String, String> directory(Path root) throws IOException {
        SortedMap<String, String> entries = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = root.relativize(file).toString().replace('\\', '/');
                if (counts(name)) {
                    entries.put(name, ofFile(file));
                }
            }
        }
        return entries;
    }

    private static SortedMap<String, String> jar(Path file) throws IOException {
        SortedMap<String, String> entries = new TreeMap<>();
        try (JarFile jar = new JarFile(file.toFile(), false)) {
            for (var entry : jar.stream().filter(each -> !each.isDirectory() && counts(each.getName())).toList()) {
                try (InputStream in = jar.getInputStream(entry)) {
                    entries.put(entry.getName(), hash(in));
                }
            }
        }
        return entries;
    }

    /// Not what the tool that packed a jar says of itself.
    private static boolean counts(String name) {
        return !name.equals(DESCRIPTION_OF_A_JAR) && !name.startsWith(DESCRIPTION_OF_A_BUILD);
    }

    private static String hash(InputStream in) throws IOException {
        MessageDigest digest = ContentHash.sha256();
        byte[] part = new byte[1 << 16];
        for (int read = in.read(part); read >= 0; read = in.read(part)) {
            digest.update(part, 0, read);
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
