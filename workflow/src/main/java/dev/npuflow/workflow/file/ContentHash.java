package dev.npuflow.workflow.file;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 of what something holds, so that two of one content have one name wherever they are.
public final class ContentHash {

    private ContentHash() {}

    /// A digest to be fed part by part.
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    /// @return 64 digits in hex
    public static String of(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    /// Of the text's UTF-8 bytes.
    public static String of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }
}
