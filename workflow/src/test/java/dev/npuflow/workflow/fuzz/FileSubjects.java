package dev.npuflow.workflow.fuzz;

import dev.npuflow.npu.aie.measured.KernelCase;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillJar;
import dev.npuflow.workflow.cli.sim.aie.MeasuredModelReading;
import dev.npuflow.workflow.generation.GateFile;
import dev.npuflow.workflow.reference.CachedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Files that a user names: devices, gate files, measurements, skills, and what lies in a workspace.
final class FileSubjects {

    private final Path place;

    FileSubjects(Path place) {
        this.place = place;
    }

    List<Subject> all() throws IOException {
        return List.of(device(), gate(), kernels(), models(), jar(), caches());
    }

    private Subject device() throws IOException {
        Path file = directory("device").resolve("mine.yaml");
        List<byte[]> seeds = List.of(resource("/devices/npu2.yaml"), resource("/devices/npu1.yaml"));
        return new Subject("device", 1500, seeds, ModelSubjects.text(":,"), input -> {
            Files.write(file, input);
            Devices.load(file.toString(), List.of());
        });
    }

    private Subject gate() throws IOException {
        Path file = directory("gate").resolve("gate.json");
        byte[] seed = ModelSubjects.utf8("{\"0\": {\"chosen\": [1, 2], \"topk\": [[1, 5, 6], [2, 7, 8]]}, \"1\": {\"chosen\": [3], \"topk\": [[3, 4, 5]]}}");
        return new Subject("gate", 1500, List.of(seed), ModelSubjects.json(), input -> {
            Files.write(file, input);
            GateFile.read(file);
        });
    }

    private Subject kernels() throws IOException {
        Path file = directory("kernels").resolve("kernels.csv");
        String shipped = new String(resource("/measured/latencies.csv"), StandardCharsets.UTF_8);
        byte[] seed = ModelSubjects.utf8(String.join("\n", shipped.lines().limit(8).toList()) + "\n");
        return new Subject("kernels-csv", 800, List.of(seed), ModelSubjects.text(",= "), input -> {
            Files.write(file, input);
            KernelCase.read(file);
        });
    }

    private Subject models() throws IOException {
        Path file = directory("models").resolve("models.csv");
        byte[] decode = ModelSubjects.utf8("""
                row_id,model,deployment,layers,emb,head_dim,hidden,n_heads,n_kv_heads,vocab,tied_lm_head,attention_delta,prefill_ttft_s,decode_ms_per_token,machine
                A,llama32_1b,bf16,16,2048,64,8192,32,8,128256,1,none (GQA),1.21,80,Strix
                """);
        byte[] groups = ModelSubjects.utf8("row_id,model,deployment,phase,group,launches,per_call_ms\nB1,llama32_1b,bf16,decode,o_gemv_ffn,3,3\n");
        byte[] nightly = ModelSubjects.utf8("model,window,decode_tok_s_median,machine\nllama32_1b,a,12.5,Krackan\n");
        return new Subject("models-csv", 800, List.of(decode, groups, nightly), ModelSubjects.text(", "), input -> {
            Files.write(file, input);
            MeasuredModelReading.read(file);
        });
    }

    private Subject jar() throws IOException {
        Path skills = directory("skills");
        Path made = directory("made");
        new SkillJar(made).write("good.jar", "Good", "");
        byte[] seed = Files.readAllBytes(made.resolve("good.jar"));
        Mutator mutator = (input, random, said) -> random.nextInt(3) == 0 ? ByteMutator.EVERYWHERE.change(input, random, said) : new JarMutator().change(input, random, said);
        return new Subject("skill-jar", 700, List.of(seed), mutator, input -> {
            // A name of its own each time: Java keeps what it knows of a jar by its path.
            Path jar = Files.createTempFile(skills, "skill", ".jar");
            Files.write(jar, input);
            try {
                SkillCatalog.load(Optional.of(skills), Duration.ofSeconds(5));
            } finally {
                Files.delete(jar);
            }
        });
    }

    private Subject caches() throws IOException {
        CachedFiles cache = new CachedFiles(directory("caches"));
        Mutator mutator = (input, random, said) -> input.length > 0 && input[0] == '{' ? ModelSubjects.json().change(input, random, said) : new ByteMutator(200).change(input, random, said);
        return new Subject("caches", 1000, List.of(cache.trace(), cache.logits()), mutator, cache::read);
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectories(place.resolve(name));
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Devices.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }
}
