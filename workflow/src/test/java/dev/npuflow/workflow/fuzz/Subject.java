package dev.npuflow.workflow.fuzz;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/// Something of a stranger's that npuflow reads.
///
/// @param share   inputs of a run of 20,000
/// @param seeds   good examples
/// @param mutator damages them by their structure
/// @param reader  the code under test, as a command calls it
record Subject(String name, int share, List<byte[]> seeds, Mutator mutator, Reader reader) {

    Subject {
        seeds = List.copyOf(seeds);
    }

    /// Reads an input, or ends in one of npuflow's faults.
    interface Reader {
        void read(byte[] input) throws IOException;
    }

    /// The input of a number: it depends on nothing else, so that each can be had again alone.
    Input input(long seed, long number) {
        Random random = new Random(seed * 0x9e3779b97f4a7c15L + number * 31 + name.hashCode());
        byte[] bytes = seeds.get(random.nextInt(seeds.size()));
        StringBuilder said = new StringBuilder();
        for (int change = random.nextInt(4) / 2; change >= 0; change--) {
            said.append(said.isEmpty() ? "" : "; ");
            bytes = mutator.change(bytes, random, said);
        }
        return new Input(name, seed, number, said.toString(), bytes);
    }

    /// @param change what was done to a good example, in words
    record Input(String subject, long seed, long number, String change, byte[] bytes) {

        /// The command that reads it again.
        String again() {
            return "src/test/soak/fuzz.sh --subject %s --seed %d --input %d".formatted(subject, seed, number);
        }
    }
}
