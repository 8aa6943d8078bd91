package dev.npuflow.workflow.cli.sim;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Files of measured rows.
public final class MeasuredFiles {

    @Option(names = "--kernels", paramLabel = "FILE", description = "measured kernels, in the columns of kernels.csv or of latencies.csv, which npuflow ships")
    private @Nullable Path kernels;

    @Option(names = "--models", paramLabel = "FILE",
            description = "measured deployments, in the columns of models.csv, model_breakdown.csv or models_nightly_krackan.csv; may be repeated")
    private List<Path> models = new ArrayList<>();

    @Option(names = "--configs", paramLabel = "DIR", description = "holds <model>/config.json, which wins over the dimensions in a row's columns")
    private @Nullable Path configs;

    public Optional<Path> kernels() {
        return Optional.ofNullable(kernels);
    }

    public List<Path> models() {
        return List.copyOf(models);
    }

    public Optional<Path> configs() {
        return Optional.ofNullable(configs);
    }

    public boolean isEmpty() {
        return kernels == null && models.isEmpty();
    }
}
