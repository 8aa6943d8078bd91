package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `docs/skills.md` as an author follows it, word for word: its commands run one after the other, from npuflow's tree into a home that is empty, and what the page
/// shows is what comes.
class SkillGuideTest {

    private static final Path ROOT = Path.of(System.getProperty("npuflow.root"));
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```([a-z]+)\\n(.*?)^```$");

    @TempDir private Path home;

    private record Block(String kind, String text) {

        boolean isShell() {
            return kind.equals("sh") && !isMaven();
        }

        boolean isMaven() {
            return kind.equals("sh") && text.startsWith("mvn ");
        }
    }

    @Test void every_command_of_the_page_works_and_says_what_the_page_shows() throws Exception {
        List<Block> blocks = blocks();
        List<String> shown = new ArrayList<>();
        StringBuilder script = new StringBuilder("set -e\n");
        for (int i = 0; i < blocks.size(); i++) {
            if (blocks.get(i).isShell()) {
                boolean compared = i + 1 < blocks.size() && blocks.get(i + 1).kind().equals("text");
                script.append("{\n").append(blocks.get(i).text()).append(compared ? "} > ~/shown-%d\n".formatted(shown.size()) : "} > ~/not-shown\n");
                if (compared) {
                    shown.add(blocks.get(i + 1).text());
                }
            }
        }
        Process process = shell(script.toString(), Map.of());
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), out);
        assertEquals(2, shown.size());
        for (int i = 0; i < shown.size(); i++) {
            assertEquals(shown.get(i), Files.readString(home.resolve("shown-" + i)));
        }
        Path skill = home.resolve("skills/reuse-intermediates");
        assertEquals(blocks.stream().filter(block -> block.kind().equals("java") && block.text().startsWith("package ")).map(Block::text).toList(),
                List.of(Files.readString(skill.resolve("src/main/java/example/ReuseIntermediatesSkill.java")),
                        Files.readString(skill.resolve("src/test/java/example/ReuseIntermediatesSkillTest.java"))));
        String pom = Files.readString(skill.resolve("pom.xml")).replace("${npuflow.version}", "0.1.0");
        blocks.stream().filter(block -> block.kind().equals("xml")).forEach(block -> assertTrue(pom.contains(block.text()), block.text()));
        assertTrue(Files.readString(skill.resolve(".npuflow/documents/tiny_kjv/phase5_decode.md")).contains("| reuse-intermediates | applied |"));
    }

    /// Into a local repository of its own, which takes what it needs from the user's as from a server.
    @Tag("slow") @Test void with_maven_one_command_compiles_tests_and_packs() throws Exception {
        Path users = Path.of(System.getProperty("localRepository", System.getProperty("user.home") + "/.m2/repository"));
        Files.writeString(Files.createDirectories(home.resolve(".m2")).resolve("settings.xml"), """
                <settings><mirrors><mirror><id>users</id><mirrorOf>*</mirrorOf><url>%s</url></mirror></mirrors></settings>
                """.formatted(users.toUri()));
        String script = "set -e\nmake install\n" + blocks().stream().filter(Block::isShell).limit(2).map(Block::text).collect(Collectors.joining())
                + blocks().stream().filter(Block::isMaven).map(Block::text).collect(Collectors.joining());
        Process process = shell(script, Map.of("MAVEN_OPTS", "-Duser.home=" + home, "JAVA25_HOME", System.getProperty("java.home")));
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), out);
        assertTrue(out.contains("Tests run: 11, Failures: 0, Errors: 0, Skipped: 0"), out);
        CommandRun check = CommandRun.of("skills", "check", home.resolve("skills/reuse-intermediates/target/reuse-intermediates.jar").toString());
        assertEquals(0, check.exitCode(), check.out());
    }

    @Test void the_version_that_the_page_names_is_this_one() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        String version = pom.replaceFirst("(?s).*?<version>([^<]+)</version>.*", "$1");
        String page = Files.readString(ROOT.resolve("docs/skills.md"));
        assertTrue(page.contains("version `%s`".formatted(version)), version);
    }

    private static List<Block> blocks() throws IOException {
        return BLOCK.matcher(Files.readString(ROOT.resolve("docs/skills.md"))).results().map(found -> new Block(found.group(1), found.group(2))).toList();
    }

    /// Starts in npuflow's tree; of the user's files only the JDK is at hand.
    private Process shell(String script, Map<String, String> more) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).directory(ROOT.toFile()).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("NPUFLOW") || name.startsWith("JAVA") || name.startsWith("MAVEN"));
        environment.put("HOME", home.toString());
        environment.put("NPUFLOW_JAVA_HOME", System.getProperty("java.home"));
        environment.putAll(more);
        return builder.start();
    }
}
