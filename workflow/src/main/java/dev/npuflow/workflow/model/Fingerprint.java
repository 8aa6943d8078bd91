package dev.npuflow.workflow.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// SHA-256 over the resolved configuration and the bytes of the weight files.
final class Fingerprint {

    private Fingerprint() {}

    static String of(ModelConfig config, List<Path> files) {
        MessageDigest digest = sha256();
        digest.update(text(config).getBytes(StandardCharsets.UTF_8));
        for (Path file : files) {
            digest.update(hash(file));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /// Every field that a logit depends on; a record prints its components in declaration order, floats in a form that tells them apart.
    private static String text(ModelConfig config) {
        Rope rope = config.rope();
        return "%s %d %d %d %d %d %d %d %b %b %b %s %d %s %s".formatted(config.architecture(), config.layers(), config.hiddenSize(),
                config.intermediateSize(), config.heads(), config.keyValueHeads(), config.headDim(), config.vocabSize(), config.tiedHead(),
                config.queryKeyValueBias(), config.queryKeyNorm(), config.rmsNormEpsilon(), rope.rotaryDim(),
                Arrays.toString(rope.inverseFrequencies()), rope.attentionFactor());
    }

    private static byte[] hash(Path file) {
        MessageDigest digest = sha256();
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
            while (channel.read(buffer) >= 0) {
                digest.update(buffer.flip());
                buffer.clear();
            }
        } catch (IOException failure) {
            throw InputFile.unreadable(file, failure);
        }
        return digest.digest();
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
