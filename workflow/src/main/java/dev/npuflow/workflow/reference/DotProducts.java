package dev.npuflow.workflow.reference;

import java.util.Optional;
import jdk.incubator.vector.IntVector;

/// Chooses the widest dot product the CPU has vectors for.
///
/// @param notice what to tell the user once, where the choice is the slow one
record DotProducts(DotProduct provider, Optional<String> notice) {

    private static final String VECTOR_MODULE = "jdk.incubator.vector";

    static DotProducts choose() {
        return choose(vectorModule());
    }

    /// The module may have been added after the boot, so that the boot layer does not name it.
    private static boolean vectorModule() {
        try {
            Class.forName(VECTOR_MODULE + ".IntVector", false, DotProducts.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException _) {
            return false;
        }
    }

    /// @param vectorModule whether this JVM has the incubator module
    static DotProducts choose(boolean vectorModule) {
        if (!vectorModule) {
            return slow("this JVM runs without %1$s; try NPUFLOW_JAVA_OPTS='--add-modules %1$s'".formatted(VECTOR_MODULE));
        }
        int bits = Preferred.bits();
        if (bits >= 512) {
            return new DotProducts(new Vector512DotProduct(), Optional.empty());
        }
        if (bits >= 256) {
            return new DotProducts(new Vector256DotProduct(), Optional.empty());
        }
        return slow("the CPU's vectors have %d bits, 256 are needed".formatted(bits));
    }

    private static DotProducts slow(String why) {
        return new DotProducts(new ScalarDotProduct(), Optional.of("reference: scalar arithmetic, same results, about ten times slower: " + why));
    }

    /// A class of its own, so that it is linked only where the module is there.
    private static final class Preferred {

        static int bits() {
            return IntVector.SPECIES_PREFERRED.vectorBitSize();
        }
    }
}
