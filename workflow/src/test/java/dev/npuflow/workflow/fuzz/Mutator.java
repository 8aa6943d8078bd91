package dev.npuflow.workflow.fuzz;

import java.util.Random;

/// One way to damage an input of a kind.
@FunctionalInterface
interface Mutator {

    /// @param said takes what was done, in words
    /// @return the damaged input; what cannot be changed in this way comes back as it was
    byte[] change(byte[] input, Random random, StringBuilder said);

    /// A mutator that takes one of several each time.
    static Mutator anyOf(Mutator... mutators) {
        return (input, random, said) -> mutators[random.nextInt(mutators.length)].change(input, random, said);
    }
}
