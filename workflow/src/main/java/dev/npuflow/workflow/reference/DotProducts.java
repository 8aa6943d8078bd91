package dev.npuflow.workflow.reference;

import java.util.Optional;
import jdk.incubator.vector.IntVector;

/// Chooses the widest dot product the CPU has vectors for.
///
/// @param notice what to tell the user once, where the choice is the slow one
record DotProducts(DotProduct provider, Optional<String> notice) {

    private static final String VECTOR_MODULE = "jdk.incubator.vector";

    static DotProducts choose() {
        return choose(ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent());
    }

    /// @param vectorModule whether the incubator module was added to this JVM
    static DotProducts choose(boolean vectorModule) {
        if (!vectorModule) {
            return slow("this JVM runs without --add-modules " + VECTOR_MODULE);
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
