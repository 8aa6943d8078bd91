package dev.npuflow.workflow.model;

import ai.djl.huggingface.tokenizers.jni.LibUtils;
import dev.npuflow.fault.NpuflowException;
import java.nio.file.Path;

/// Loads the native tokenizers library from its jar, never from the network, and never calls home: DJL would ask a cloud's metadata service and a
/// telemetry host once a process, and download a CUDA build where it finds a GPU.
final class NativeTokenizers {

    private NativeTokenizers() {}

    static void requireLoaded() {
        setUnlessSet("ai.djl.offline", "true");
        setUnlessSet("OPT_OUT_TRACKING", "true");
        setUnlessSet("RUST_FLAVOR", "cpu");
        setUnlessSet("ENGINE_CACHE_DIR", Path.of(System.getProperty("java.io.tmpdir"), "npuflow-native-" + System.getProperty("user.name")).toString());
        try {
            LibUtils.checkStatus();
        } catch (RuntimeException | LinkageError failure) {
            throw NpuflowException.environment("NPF-151", "the native tokenizers library cannot be loaded", failure.getMessage(),
                    "a platform that DJL's tokenizers jar has a library for, and a writable java.io.tmpdir", "--ids instead of text");
        }
    }

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
