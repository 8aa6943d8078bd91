package dev.npuflow.workflow.provenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeHashTest {

    @TempDir private Path folder;
    private Path classes;

    @BeforeEach void write() throws IOException {
        classes = Files.createDirectories(folder.resolve("classes").resolve("a")).getParent();
        Files.writeString(classes.resolve("a").resolve("One.class"), "one");
        Files.writeString(classes.resolve("two.yaml"), "two");
    }

    private Path jar(String name, long time, List<String> entries) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(file); JarOutputStream jar = new JarOutputStream(out)) {
            for (String entry : entries) {
                JarEntry written = new JarEntry(entry);
                written.setTime(time);
                jar.putNextEntry(written);
                Path content = classes.resolve(entry);
                jar.write(Files.exists(content) ? Files.readAllBytes(content) : entry.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }
        return file;
    }

    @Test void a_jar_and_the_directory_it_was_packed_from_have_one_hash_whenever_it_was_packed() throws IOException {
        String hash = CodeHash.ofEntries(classes);
        assertTrue(hash.matches("[0-9a-f]{64}"), hash);
        assertEquals(hash, CodeHash.ofEntries(jar("a.jar", 0, List.of("a/One.class", "two.yaml"))));
        assertEquals(hash, CodeHash.ofEntries(jar("b.jar", 1_700_000_000_000L, List.of("META-INF/MANIFEST.MF", "two.yaml", "META-INF/maven/x/pom.xml", "a/One.class"))));
    }

    @Test void another_byte_another_name_and_one_file_more_each_make_another() throws IOException {
        String hash = CodeHash.ofEntries(classes);
        Files.writeString(classes.resolve("two.yaml"), "TWO");
        assertNotEquals(hash, CodeHash.ofEntries(classes));
        Files.writeString(classes.resolve("two.yaml"), "two");
        assertEquals(hash, CodeHash.ofEntries(classes));
        Files.writeString(classes.resolve("META-INF"), "");
        assertNotEquals(hash, CodeHash.ofEntries(classes));
        Files.delete(classes.resolve("META-INF"));
        Files.move(classes.resolve("two.yaml"), classes.resolve("three.yaml"));
        assertNotEquals(hash, CodeHash.ofEntries(classes));
    }

    /// `printf one | sha256sum`.
    @Test void a_file_has_the_hash_that_sha256sum_prints() {
        assertEquals("7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed", CodeHash.ofFile(classes.resolve("a").resolve("One.class")));
    }

    @Test void a_class_of_the_java_platform_has_no_file_and_ours_has_one() {
        assertEquals(Optional.empty(), CodeHash.place(String.class));
        assertTrue(CodeHash.place(CodeHash.class).filter(Files::exists).isPresent());
    }

    @Test void the_build_is_named_by_its_version_and_its_content() {
        assertTrue(Build.identity().matches("npuflow 0\\.1\\.0 [0-9a-f]{64}"), Build.identity());
        assertEquals(Build.hash(), Build.hash());
    }
}
