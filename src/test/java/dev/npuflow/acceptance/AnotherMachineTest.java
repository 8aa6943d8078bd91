package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.machine.Machine;
import dev.npuflow.workflow.cli.NpuflowCommand;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A machine of another jar, which nothing of npuflow knows: commands that ask the border of machines only work with it, and the others refuse it by name.
/// npuflow runs here in a class loader of its own, as it does where that jar lies beside its others.
class AnotherMachineTest {

    private static final Path ROOT = Path.of(System.getProperty("npuflow.root"));
    private static final String DEVICE = ROOT.resolve("npu-sim/src/test/resources/two-banks.yaml").toString();
    private static final String REFUSAL = "NPF-309 device tiny of kind two-banks: expected a device that models are deployed on, of kind aie; try --device npu2\n";

    @TempDir private static Path folder;
    private static URLClassLoader npuflow;

    @BeforeAll static void compileTheMachine() throws IOException {
        Path sources = ROOT.resolve("npu-sim/src/test/java/dev/npuflow/npu/tiny");
        Path jar = compiled("machine", sources.resolve("TinyMachine.java"), sources.resolve("Parts.java"));
        Files.writeString(Files.createDirectories(jar.resolve("META-INF/services")).resolve(Machine.class.getName()), "dev.npuflow.npu.tiny.TinyMachine\n");
        List<URL> classPath = new ArrayList<>(List.of(jar.toUri().toURL()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            classPath.add(Path.of(entry).toUri().toURL());
        }
        npuflow = new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @AfterAll static void close() throws IOException {
        npuflow.close();
    }

    private static Path compiled(String name, Path... sources) throws IOException {
        Path classes = Files.createDirectory(folder.resolve(name));
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", classes.toString()));
        Stream.of(sources).map(Path::toString).forEach(arguments::add);
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)));
        return classes;
    }

    private static CommandRun run(String... arguments) {
        return run(npuflow, arguments);
    }

    private static CommandRun run(ClassLoader npuflow, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        try {
            Object commandLine = npuflow.loadClass(NpuflowCommand.class.getName()).getMethod("commandLine").invoke(null);
            commandLine.getClass().getMethod("setOut", PrintWriter.class).invoke(commandLine, new PrintWriter(out, true));
            commandLine.getClass().getMethod("setErr", PrintWriter.class).invoke(commandLine, new PrintWriter(err, true));
            Object exit = commandLine.getClass().getMethod("execute", String[].class).invoke(commandLine, (Object) arguments);
            return new CommandRun((int) exit, out.toString(), CommandRun.PROGRESS.matcher(err.toString()).replaceAll(""));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static CommandRun onTheMachine(String command, String... more) {
        return run(Stream.of(Stream.of(command.split(" ")), Stream.of("--device", DEVICE), Stream.of(more)).flatMap(words -> words).toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"deploy", "phase3", "phase4", "phase5", "profile", "verify", "gate-check", "diagnosis", "localize", "ablate", "compile", "plan"})
    void a_command_that_deploys_a_model_refuses_it_by_name_and_writes_nothing(String command) {
        Path workspace = folder.resolve("workspace of " + command);
        CommandRun run = onTheMachine(command + " " + TinyKjv.directory(), "--workspace", workspace.toString());
        assertEquals(REFUSAL, run.err());
        assertEquals(2, run.exitCode());
        assertFalse(Files.exists(workspace));
    }

    @ParameterizedTest @ValueSource(strings = {"estimate", "kernels registry"}) void so_does_one_that_only_times_its_plan(String command) {
        CommandRun run = onTheMachine(command + " " + TinyKjv.directory());
        assertEquals(REFUSAL, run.err());
        assertEquals(2, run.exitCode());
    }

    /// What `sim` can do with an array it does not pretend to do with another machine.
    @ParameterizedTest
    @ValueSource(strings = {"sim probe", "sim validate --kernels nowhere.csv", "sim calibrate --kernels nowhere.csv -o nowhere.yaml"})
    void a_command_of_sim_that_needs_more_than_the_border_refuses_it_by_name(String command) {
        CommandRun run = onTheMachine(command);
        assertEquals("NPF-309 %s of device tiny of kind two-banks: expected a device of kind aie; try --device npu2\n".formatted(command.replaceAll(" -.*", "")), run.err());
        assertEquals(2, run.exitCode());
    }

    @Test void a_jar_brings_what_sim_does_with_its_machine_and_commands_of_its_own() throws IOException {
        Path jar = compiled("commands", Files.writeString(Files.createDirectories(folder.resolve("source")).resolve("BankCommands.java"), """
                import dev.npuflow.npu.machine.DeviceDescription;
                import dev.npuflow.workflow.cli.View;
                import dev.npuflow.workflow.cli.sim.MachineCommands;
                import java.util.*;
                import java.util.function.Function;
                import picocli.CommandLine.Command;

                public final class BankCommands implements MachineCommands {
                    @Override public String kind() {
                        return "two-banks";
                    }
                    @Override public Optional<Function<DeviceDescription, View>> probe() {
                        return Optional.of(device -> new View(text -> text.line("two banks of " + device.name()), () -> Map.of("banks", 2)));
                    }
                    @Override public List<Object> commands() {
                        return List.of(new Banks());
                    }
                    @Command(name = "banks", description = "Counts banks.")
                    static final class Banks implements Runnable {
                        @Override public void run() {
                            System.setProperty("banks", "2");
                        }
                    }
                }
                """));
        Files.writeString(Files.createDirectories(jar.resolve("META-INF/services")).resolve("dev.npuflow.workflow.cli.sim.MachineCommands"), "BankCommands\n");
        List<URL> classPath = new ArrayList<>(List.of(npuflow.getURLs()));
        classPath.add(jar.toUri().toURL());
        try (URLClassLoader more = new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            assertEquals("two banks of tiny\n", run(more, "sim", "probe", "--device", DEVICE).out());
            assertEquals(2, run(more, "sim", "probe", "--device", DEVICE, "--json").json().get("banks").asInt());
            assertEquals(0, run(more, "sim", "banks").exitCode());
            assertEquals("2", System.clearProperty("banks"));
            assertTrue(run(more, "sim", "validate", "--device", DEVICE).err().startsWith("NPF-309 sim validate of device tiny"));
        }
        assertEquals(2, run("sim", "banks").exitCode());
    }

    @Test void inspect_says_that_no_model_has_its_place_there() {
        CommandRun run = onTheMachine("inspect " + TinyKjv.directory(), "--json");
        assertEquals(0, run.exitCode(), run.err());
        assertEquals("tiny", run.json().get("device").asString());
        assertFalse(run.json().get("npu").asBoolean());
        assertEquals(REFUSAL.strip(), run.json().get("npu_reason").asString());
        assertTrue(run.json().get("memory").get("npu_bytes").isNull());
    }

    /// Its own test adds the time of this launch up by hand: 271 ns, bound by a bank.
    @Test void a_launch_of_its_kernel_is_checked_timed_and_drawn() {
        CommandRun timeline = onTheMachine("sim timeline eltwise_add --shape n=4096 --herd 1 --to 1", "--json");
        assertEquals(0, timeline.exitCode(), timeline.err());
        assertEquals(0.271, timeline.json().get("array_us").asDouble());
        assertEquals("even bank", timeline.json().get("bound").asString());
        assertTrue(onTheMachine("sim timeline eltwise_add --shape n=4096 --herd 1 --to 1").out().contains("simulated alone"));
        assertTrue(onTheMachine("kernels check eltwise_add --n 4096 --herd 1").out().startsWith("legal: eltwise_add n 4096"));
        assertEquals(0, onTheMachine("kernels tune eltwise_add --n 4096").exitCode());
    }

    @Test void a_kernel_that_it_does_not_have_is_told_beside_those_that_it_has() {
        CommandRun run = onTheMachine("sim timeline gemv --shape m=64,k=64");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().startsWith("NPF-830 kernel (gemv): expected one of EltwiseAdd, or of eltwise_add; try "), run.err());
    }

    @Test void without_its_jar_its_kind_is_unknown() {
        CommandRun run = CommandRun.of("sim", "timeline", "eltwise_add", "--shape", "n=4096", "--device", DEVICE);
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("NPF-308") && run.err().contains("field kind (two-banks): expected one of aie"), run.err());
    }
}
