package dev.npuflow.workflow.model;

import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.PreNorm;
import dev.npuflow.workflow.file.ContentHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// SHA-256 over the resolved configuration and the weights: of files their own hashes, of a synthetic set its recipe and shapes, from which every byte
/// follows.
final class Fingerprint {

    private Fingerprint() {}

    static String of(ModelConfig config, List<byte[]> weights) {
        MessageDigest digest = ContentHash.sha256();
        digest.update(text(config).getBytes(StandardCharsets.UTF_8));
        weights.forEach(digest::update);
        return HexFormat.of().formatHex(digest.digest());
    }

    /// Every field that a logit depends on. A layer that the flags do not tell is told whole.
    private static String text(ModelConfig config) {
        Rope rope = config.rope();
        Block block = config.block();
        boolean byFlags = block.equals(PreNorm.of(block.hasInputBias(), block.hasOutputBias(), block.normsHeads()));
        return "%s %d %d %d %d %d %d %d %b %b %b %s %d %s %s%s%s\n".formatted(config.architecture(), config.layers(), config.hiddenSize(),
                config.intermediateSize(), config.heads(), config.keyValueHeads(), config.headDim(), config.vocabSize(), config.tiedHead(),
                block.hasInputBias(), block.normsHeads(), config.rmsNormEpsilon(), rope.rotaryDim(),
                text(rope.frequencies()), rope.attentionFactor(), block.hasOutputBias() ? " output bias" : "", byFlags ? "" : " " + block);
    }

    private static String text(InverseFrequencies frequencies) {
        return switch (frequencies) {
            case InverseFrequencies.Fixed fixed -> Arrays.toString(fixed.values());
            case InverseFrequencies.Switched lists -> "%s up to %d, then %s".formatted(Arrays.toString(lists.within()), lists.originalPositions(),
                    Arrays.toString(lists.beyond()));
            case InverseFrequencies.Growing base -> "of %s growing by %s beyond %d".formatted(base.theta(), base.factor(), base.pretrainedPositions());
        };
    }
}
