package dev.npuflow.workflow.cli.sim.aie;

import dev.npuflow.npu.calibration.Table.Row;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.PreNorm;
import dev.npuflow.workflow.file.RegularFile;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.model.Architecture;
import dev.npuflow.workflow.model.ConfigReader;
import dev.npuflow.workflow.model.ModelConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The dimensions of a measured model: those of its config.json where there is one, else of the row's own columns.
record MeasuredShape(ModelShape shape, Block block, Architecture architecture) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final List<String> EXTENTS = List.of("layers", "emb", "hidden", "n_heads", "n_kv_heads", "head_dim", "vocab");
    private static final int LARGEST_EXTENT = 1 << 24;
    /// Does not change any time.
    private static final double EPSILON = 1e-5;

    /// @param configs holds a folder with a config.json for each model
    static Optional<MeasuredShape> of(Row row, String model, Optional<Path> configs, DeviceLowering lowering) {
        Optional<Path> config = configs.filter(_ -> NAME.matcher(model).matches()).map(folder -> folder.resolve(model).resolve("config.json"))
                .flatMap(RegularFile::find);
        if (config.isPresent()) {
            ModelConfig read = ConfigReader.readFile(config.get()).config();
            return Optional.of(new MeasuredShape(lowering.shapeOf(model, read), read.block(), read.architecture()));
        }
        if (EXTENTS.stream().anyMatch(extent -> row.whole(extent) < 1 || row.whole(extent) > LARGEST_EXTENT)) {
            return Optional.empty();
        }
        String attention = row.text("attention_delta");
        boolean bias = attention.contains("bias");
        boolean norm = attention.contains("QK-norm");
        ModelShape shape = new ModelShape(model, row.whole("layers"), row.whole("emb"), row.whole("hidden"), row.whole("n_heads"),
                row.whole("n_kv_heads"),
                row.whole("head_dim"), row.whole("vocab"), row.whole("tied_lm_head") == 1, bias, norm, EPSILON, lowering.paddedPrefill());
        return Optional.of(new MeasuredShape(shape, PreNorm.of(shape), bias ? Architecture.QWEN2 : norm ? Architecture.QWEN3 : Architecture.LLAMA));
    }
}
