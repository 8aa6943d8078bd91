package dev.npuflow.acceptance;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.npuflow.npu.kernel.registry.Kernels;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.plan.KernelNames;
import dev.npuflow.workflow.cli.JsonOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Who may know whom, on main classes. A rule passes on classes that the scan did not see, so what it saw is asserted too.
class ArchitectureTest {

    private static final Path ROOT = Path.of(System.getProperty("npuflow.root"));
    private static final List<String> SKILLS =
            List.of("skills/opt-merge-multi-launch-kernels", "skills/opt-buffer-object-reuse", "skills/opt-layout-alignment",
                    "skills/opt-fuse-decode-ffn", "skills/opt-herd-sizing");
    private static final String[] ROOMS_OF_AIE = {"dev.npuflow.npu.aie..", "dev.npuflow.workflow.lowering.aie..", "dev.npuflow.workflow.cli.sim.aie.."};
    private static final String NAMES_FOR_SKILLS = "dev/npuflow/plan/KernelNames";
    /// Where the word is no kernel's id: the operator's name, which calls and launches have, and a field of `inspect --json`.
    private static final Map<String, Set<String>> SAME_WORD = Map.of("silu_mul", Set.of("dev/npuflow/workflow/block/LayerDeclaration",
            "dev/npuflow/skill/merge/GroupName", "dev/npuflow/skill/merge/UpstreamSplit"), "rope", Set.of("dev/npuflow/workflow/cli/InspectionText"));
    private static final List<String> MODULES =
            Stream.concat(Stream.of("fault", "skills/api", "npu-sim", "workflow", "skills/testkit"), SKILLS.stream()).toList();
    private static final JavaClasses HOUSE =
            new ClassFileImporter().importPaths(MODULES.stream().map(ArchitectureTest::classes).filter(Files::isDirectory).toList());

    static List<String> modules() {
        return MODULES;
    }

    static List<String> skills() {
        return SKILLS;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void the_scan_saw_every_source_file_of(String module) throws IOException {
        Set<String> seen = HOUSE.stream().filter(in(module)).filter(JavaClass::isTopLevelClass)
                .map(type -> type.getName().replace('.', '/')).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(sources(module), seen);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fault", "npu.engine", "npu.device", "npu.launch", "npu.kernel", "npu.machine", "npu.aie", "npu.compiler", "npu.clock", "npu.runtime",
        "workflow.block", "workflow.reference", "workflow.host"})
    void the_scan_saw_classes_of(String place) {
        assertTrue(HOUSE.stream().anyMatch(resideInAPackage("dev.npuflow." + place + "..").and(
                describe("a class", type -> !type.getSimpleName().equals("package-info")))), place);
    }

    @Test
    void the_api_depends_on_nothing_of_ours() {
        onlyKnows("skills/api");
    }

    @Test
    void a_fault_knows_nothing_of_what_it_is_about() {
        onlyKnows("fault");
    }

    @Test
    void the_npu_knows_no_plan_no_skill_and_no_workflow() {
        onlyKnows("npu-sim", "fault");
    }

    @Test
    void the_workflow_knows_no_skill() {
        onlyKnows("workflow", "fault", "skills/api", "npu-sim");
    }

    @ParameterizedTest
    @MethodSource("skills")
    void a_skill_sees_plans_only(String skill) {
        onlyKnows(skill, "skills/api");
    }

    @Test
    void a_dependency_that_is_not_allowed_is_found() {
        assertThrows(AssertionError.class, () -> onlyKnows("workflow", "fault", "npu-sim"));
    }

    @ParameterizedTest
    @CsvSource({
        "npu.engine, npu.device npu.launch npu.kernel npu.machine npu.aie npu.compiler npu.clock npu.runtime npu.trace",
        "npu.device, npu.engine npu.launch npu.kernel npu.machine npu.aie npu.compiler npu.clock npu.runtime npu.trace",
        "npu.launch, npu.engine npu.device npu.kernel npu.machine npu.aie npu.compiler npu.clock npu.runtime npu.trace",
        "npu.kernel, npu.engine npu.device npu.machine npu.aie npu.compiler npu.clock npu.runtime npu.trace",
        "npu.machine, npu.kernel npu.aie npu.compiler npu.clock npu.runtime",
        "workflow.block, npu workflow.model workflow.reference workflow.host workflow.lowering workflow.lens",
        "workflow.reference, npu workflow.host workflow.lowering",
        "workflow.host, workflow.reference",
    })
    void never_looks_up(String place, String forbidden) {
        String[] packages = Stream.of(forbidden.split(" ")).map(name -> "dev.npuflow." + name + "..").toArray(String[]::new);
        noClasses().that().resideInAPackage("dev.npuflow." + place + "..")
                .should().dependOnClassesThat(resideInAnyPackage(packages)).check(HOUSE);
    }

    @Test
    void no_packages_know_each_other_in_a_circle() {
        SlicesRuleDefinition.slices().matching("dev.npuflow.(**)").should().beFreeOfCycles().check(HOUSE);
    }

    /// Its own package, and two rooms of the workflow that have the machine's name: how models are deployed on it, and its commands of `npuflow sim`.
    @Test
    void a_machine_is_known_by_its_kind_only() {
        noClasses().that().resideOutsideOfPackages(ROOMS_OF_AIE)
                .should().dependOnClassesThat(resideInAnyPackage(ROOMS_OF_AIE)).check(HOUSE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"npu.aie", "workflow.lowering.aie", "workflow.cli.sim.aie"})
    void a_room_that_would_know_no_machine_would_prove_nothing(String room) {
        assertTrue(HOUSE.stream().filter(resideInAPackage("dev.npuflow." + room + "..")).flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .anyMatch(known -> known.getTargetClass().getPackageName().startsWith("dev.npuflow.npu.aie")), room);
    }

    /// A command gives its result in both forms and does not ask which one is wanted.
    @Test
    void only_output_writes_json_for_programs() {
        noClasses().that().resideInAPackage("dev.npuflow.workflow.cli..").and().doNotHaveSimpleName("Output").and().doNotHaveSimpleName("FaultOutput")
                .and().areNotAssignableTo(JsonOutput.class).should().dependOnClassesThat(belongTo(JsonOutput.class)).check(HOUSE);
    }

    /// Ids that only the clock knows are in the machine's package. Skills see plans and no kernel: the ids that they look for are once in `KernelNames`.
    @Test
    void the_id_of_a_kernel_stands_in_its_package_only() throws IOException {
        for (String id : Kernels.all().keySet().stream().map(KernelId::value).toList()) {
            Set<String> places = new TreeSet<>();
            for (String module : MODULES) {
                for (String source : sources(module)) {
                    if (latin1(ROOT.resolve(module).resolve("src/main/java").resolve(source + ".java")).contains('"' + id + '"')) {
                        places.add(source);
                    }
                }
            }
            places.removeAll(SAME_WORD.getOrDefault(id, Set.of()));
            places.remove(NAMES_FOR_SKILLS);
            assertEquals(1, places.size(), id + " in " + places);
            assertTrue(places.iterator().next().startsWith("dev/npuflow/npu/kernel/"), id + " in " + places);
        }
    }

    @Test
    void the_names_that_skills_use_are_ids_of_kernels() throws ReflectiveOperationException {
        for (Field name : KernelNames.class.getFields()) {
            assertTrue(Kernels.byId(new KernelId((String) name.get(null))).isPresent(), name.getName());
        }
    }

    /// Order, options and evidence come from the skill itself, so nothing else has to know one by its name.
    @Test
    void the_name_of_a_skill_stands_in_its_own_module_only() throws IOException {
        for (String skill : SKILLS) {
            String name = skill.substring(skill.indexOf('/') + 1);
            Set<String> places = new TreeSet<>();
            for (String module : MODULES) {
                if (mainTexts(module).anyMatch(text -> text.contains(name))) {
                    places.add(module);
                }
            }
            assertEquals(Set.of(skill), places);
        }
    }

    /// Java and whatever else is packed into a module's jar.
    private static Stream<String> mainTexts(String module) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main"))) {
            List<Path> texts = files.filter(Files::isRegularFile).toList();
            return texts.stream().map(ArchitectureTest::latin1);
        }
    }

    private static String latin1(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void onlyKnows(String module, String... others) {
        DescribedPredicate<JavaClass> known = in(module).or(not(resideInAPackage("dev.npuflow..")));
        for (String other : others) {
            known = known.or(in(other));
        }
        // A module that has no class yet breaks no rule; that it truly has none is what the first test is for.
        noClasses().that(in(module)).should().dependOnClassesThat(not(known)).allowEmptyShould(true).check(HOUSE);
    }

    private static DescribedPredicate<JavaClass> belongTo(Class<?> type) {
        return describe("belong to another class, " + type.getSimpleName(), seen -> seen.isEquivalentTo(type));
    }

    private static DescribedPredicate<JavaClass> in(String module) {
        String place = classes(module).toUri().toString();
        return describe("in " + module, type -> element(type).getSource().map(source -> source.getUri().toString().startsWith(place)).orElse(false));
    }

    private static JavaClass element(JavaClass type) {
        return type.getBaseComponentType();
    }

    private static Path classes(String module) {
        return ROOT.resolve(module).resolve("target/classes");
    }

    private static Set<String> sources(String module) throws IOException {
        Path root = ROOT.resolve(module).resolve("src/main/java");
        if (!Files.isDirectory(root)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(root::relativize).map(Path::toString).filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length())).collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
