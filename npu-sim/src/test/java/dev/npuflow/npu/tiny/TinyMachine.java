package dev.npuflow.npu.tiny;

import dev.npuflow.npu.device.Accuracy;
import dev.npuflow.npu.device.DeviceFile;
import dev.npuflow.npu.device.FieldReader;
import dev.npuflow.npu.device.HostCosts;
import dev.npuflow.npu.device.Trait;
import dev.npuflow.npu.engine.Graph;
import dev.npuflow.npu.engine.Link;
import dev.npuflow.npu.engine.Outcome;
import dev.npuflow.npu.kernel.add.EltwiseAddKernel;
import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Machine;
import dev.npuflow.npu.machine.Stage;
import dev.npuflow.npu.machine.Tiling;
import dev.npuflow.npu.tiny.Parts.Bank;
import dev.npuflow.npu.tiny.Parts.Cpu;
import dev.npuflow.npu.tiny.Parts.Router;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// `kind: two-banks`: a machine of four nodes that knows one kernel, addition, whose operands it reads packet by packet.
public final class TinyMachine implements Machine {

    private static final String KIND = "two-banks";

    @Override public String kind() {
        return KIND;
    }

    @Override public DeviceDescription describe(DeviceFile file) {
        FieldReader fields = new FieldReader(file);
        Device device = new Device(file.name(), fields.rate("link.gbps"), fields.nanoseconds("link.latency_ns"), fields.whole("link.credits", 1, 64),
                fields.whole("link.packet_bytes", 1, 4096), fields.nanoseconds("router.pass_ns"), fields.nanoseconds("bank.read_ns"), HostCosts.read(fields), Trait.read(fields));
        fields.done();
        return device;
    }

    private record Device(String name, double rate, long latency, int credits, int packetBytes, long pass, long read, HostCosts host, Set<Trait> traits)
            implements DeviceDescription {

        @Override public String kind() {
            return KIND;
        }

        @Override public Optional<Accuracy> accuracy() {
            return Optional.empty();
        }

        @Override public long largestBuffer() {
            return 1 << 20;
        }

        @Override public List<KernelId> kernels() {
            return List.of(EltwiseAddKernel.ID);
        }

        @Override public Optional<KernelId> formOf(KernelId kernel) {
            return Optional.of(kernel).filter(EltwiseAddKernel.ID::equals);
        }

        @Override public Optional<KernelId> computedAs(KernelId kernel) {
            return formOf(kernel);
        }

        @Override public List<String> tileSizes(KernelId kernel) {
            return List.of();
        }

        @Override public BenchmarkBuild benchmark(KernelId kernel) {
            return BenchmarkBuild.PLAIN;
        }

        @Override public boolean choosesTiles(KernelId kernel) {
            return true;
        }

        @Override public Stream<Tiling> tilings(KernelId kernel, Map<String, Integer> shape) {
            return Stream.of(Tiling.of(1, 1, Map.of()));
        }

        @Override public String divisible(KernelId kernel) {
            return "any shape";
        }

        @Override public List<Blocker> check(LaunchDescription launch, ElfDescription elf) {
            return launch.kernel().equals(EltwiseAddKernel.ID) ? List.of() : List.of(new Blocker("KERNEL", launch.name(), "no " + launch.kernel(),
                    "the machine adds and does nothing else", EltwiseAddKernel.ID.value()));
        }

        @Override public List<String> warnings(LaunchDescription launch) {
            return List.of();
        }

        @Override public Optional<String> linkedObject(LaunchDescription launch) {
            return Optional.empty();
        }

        @Override public List<Stage> stages(LaunchDescription launch, ElfDescription elf) {
            return List.of(new Reads(this, launch.name(), Math.ceilDiv(2 * 2 * launch.shape().get("n"), packetBytes)));
        }
    }

    private record Reads(Device device, String name, int packets) implements Stage {

        @Override public long configuration() {
            return 0;
        }

        @Override public String configurationLabel() {
            return "nothing";
        }

        @Override public Object timeKey() {
            return packets;
        }

        @Override public int periods() {
            return 1;
        }

        @Override public Graph lay(int periods) {
            Graph graph = new Graph();
            graph.component("cpu", () -> new Cpu(IntStream.range(0, packets).boxed().toList(), device.packetBytes, new ArrayList<>()));
            graph.component("router", () -> new Router(device.pass));
            join(graph, "cpu", "request", "router", "in", device.credits);
            for (String bank : List.of("even", "odd")) {
                graph.component(bank + " bank", () -> new Bank(device.read, true));
                join(graph, "router", bank, bank + " bank", "in", device.credits);
                join(graph, bank + " bank", "answer", "cpu", "from " + bank, Link.UNLIMITED);
            }
            return graph;
        }

        private void join(Graph graph, String from, String out, String to, String in, int credits) {
            graph.connect(graph.link(Link.of(from + " to " + to, device.rate).withLatency(device.latency).withCredits(credits)), from, out, to, in);
        }

        @Override public String boundBy(Outcome outcome) {
            return outcome.nodes().stream().filter(node -> node.busy() > outcome.end() / 2).findFirst().map(Outcome.NodeUse::name).orElse("latency");
        }

        @Override public String group(String component) {
            return component.contains(" to ") ? "links" : "nodes";
        }
    }
}
