package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The skill in `docs/skills.md`: it compiles as it stands there, is found as the guide says, and does what its comment says.
class SkillGuideTest {

    private static final Pattern WHOLE_CLASS = Pattern.compile("```java\n(package (\\S+);\n.*?public final class (\\w+) .*?)```", Pattern.DOTALL);
    private static final SkillContext CONTEXT = new SkillContext(Phase.DECODE, "npu2", new TreeMap<>(), _ -> List.of(), List.of());

    @TempDir
    private Path directory;
    private URLClassLoader loader;
    private Skill skill;

    @BeforeEach
    void build() throws Exception {
        Matcher guide = WHOLE_CLASS.matcher(Files.readString(Path.of(System.getProperty("npuflow.root"), "docs/skills.md")));
        assertTrue(guide.find());
        Path source = Files.writeString(directory.resolve(guide.group(3) + ".java"), guide.group(1));
        String api = Path.of(Skill.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-cp", api, "-d", directory.toString(), source.toString()));
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve("dev.npuflow.skill.Skill"), guide.group(2) + "." + guide.group(3));
        loader = new URLClassLoader(new URL[] {directory.toUri().toURL()}, Skill.class.getClassLoader());
        skill = ServiceLoader.load(Skill.class, loader).stream().filter(provider -> provider.type().getClassLoader() == loader)
                .findFirst().orElseThrow().get();
    }

    @AfterEach
    void close() throws Exception {
        loader.close();
    }

    @Test
    void the_skill_of_the_guide_keeps_what_the_device_writes_first_from_being_uploaded() throws Exception {
        Deployment plan = deployment(List.of(add("first", "a", "b", "sum"), add("second", "sum", "b", "total")));
        assertInstanceOf(Assessment.Applies.class, skill.assess(plan, CONTEXT));
        NpuCall call = skill.apply(plan, CONTEXT).decode().calls().findFirst().orElseThrow();
        assertEquals(Transfer.INTERMEDIATE, call.argument("sum").transfer());
        assertEquals(Transfer.INTERMEDIATE, call.argument("total").transfer());
        assertEquals(Transfer.EVERY_CALL, call.argument("a").transfer());
        assertEquals(Transfer.EVERY_CALL, call.argument("b").transfer());
    }

    @Test
    void it_does_not_apply_where_everything_is_read_first() {
        Deployment plan = deployment(List.of(add("only", "a", "b", "a"), add("again", "sum", "b", "sum"), add("last", "total", "b", "total")));
        assertInstanceOf(Assessment.DoesNotApply.class, skill.assess(plan, CONTEXT));
    }

    private static Deployment deployment(List<Launch> launches) {
        List<Argument> arguments = List.of(argument("a"), argument("b"), argument("sum"), argument("total"));
        NpuCall call = new NpuCall("add", launches, arguments, BufferKey.SHARED, new ElfOptions(true, 16));
        PhasePlan empty = new PhasePlan(List.of(), List.of(), List.of());
        ModelShape shape = new ModelShape("model", 1, 64, 64, 1, 1, 64, 64, true, false, false, 1e-5, 64);
        return new Deployment(shape, "npu2", empty, new PhasePlan(List.of(), List.of(call), List.of()));
    }

    private static Argument argument(String name) {
        return new Argument(name, List.of(64), DataType.BF16, new Source.Activation(name), Transfer.EVERY_CALL, false);
    }

    private static Launch add(String name, String a, String b, String out) {
        return new Launch(name, "eltwise_add", "add", new TreeMap<>(Map.of("n", 64)), new TreeMap<>(), new Herd(1, 1), new TreeMap<>(),
                new TreeMap<>(Map.of("a", whole(a), "b", whole(b))), new TreeMap<>(Map.of("out", whole(out))));
    }

    private static Operand whole(String argument) {
        return new Operand(argument, 0, 64);
    }
}
