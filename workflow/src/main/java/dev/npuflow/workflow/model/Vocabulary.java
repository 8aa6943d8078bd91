package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/// The token ids that a model reads, 0 to `size` - 1: those that its embedding has a row for. Every id passes here before anything runs, wherever it comes
/// from: a text whose tokenizer belongs to other weights, a command line, a file of prompts.
///
/// @param size rows of the embedding, `vocab_size` of config.json
public record Vocabulary(int size) {

    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]{1,400}");
    private static final int SHOWN = 60;
    private static final String OWN_IDS = "ids of this model's own tokenizer, which npuflow tokenize prints";

    /// What a tokenizer made of a text.
    ///
    /// @param source of the text, as a message begins: `--prompt`, `prompts.txt, prompt 2`
    /// @return the same ids
    /// @throws NpuflowException NPF-503 if there is none, NPF-154 naming the first that has no row
    public int[] ofText(String source, int... ids) {
        return require(source, ids, "the tokenizer.json that belongs to these weights, or a text without that token");
    }

    /// Ids that were given as ids.
    ///
    /// @return the same ids
    /// @throws NpuflowException as [#ofText]
    public int[] require(String source, int... ids) {
        return require(source, ids, OWN_IDS);
    }

    private int[] require(String source, int[] ids, String remedy) {
        requireSome(source, ids);
        IntStream.of(ids).filter(id -> id < 0 || id >= size).findFirst().ifPresent(id -> {
            throw outside(source, Integer.toString(id), remedy);
        });
        return ids;
    }

    /// @throws NpuflowException NPF-503
    public static void requireSome(String source, int... ids) {
        if (ids.length == 0) {
            throw NpuflowException.badInput("NPF-503", source, "no ids", "at least one token", "a text that is not empty, or ids");
        }
    }

    /// Ids as people write them on a command line.
    ///
    /// @throws NpuflowException NPF-809 for what is no integer, NPF-154 naming the first id that has no row
    public int[] parse(String option, List<String> written) {
        return written.stream().map(String::strip).mapToInt(text -> {
            if (!INTEGER.matcher(text).matches()) {
                throw NpuflowException.badInput("NPF-809", option, text.isEmpty() ? "an empty place" : shown(text),
                        "integers with commas between them", "%s 1,2,3".formatted(option));
            }
            return id(text).orElseThrow(() -> outside(option, text, OWN_IDS));
        }).toArray();
    }

    /// An array of ids in a file.
    ///
    /// @throws NpuflowException NPF-184 for what is no array of integers, or an empty one, NPF-154 naming the first id that has no row
    public int[] of(String source, JsonNode array) {
        if (!array.isArray() || array.isEmpty() || !array.valueStream().allMatch(JsonNode::isIntegralNumber)) {
            throw NpuflowException.badInput("NPF-184", source, shown(array.toString()), "an array of one or more integers", "[1, 2, 3]");
        }
        return array.valueStream().map(JsonNode::asString).mapToInt(text -> id(text).orElseThrow(() -> outside(source, text, OWN_IDS))).toArray();
    }

    private Optional<Integer> id(String integer) {
        BigInteger value = new BigInteger(integer);
        return value.signum() >= 0 && value.compareTo(BigInteger.valueOf(size)) < 0 ? Optional.of(value.intValueExact()) : Optional.empty();
    }

    private NpuflowException outside(String source, String id, String remedy) {
        return NpuflowException.badInput("NPF-154", "%s: token id".formatted(source), shown(id), "0 to %d, for the embedding has %d rows".formatted(size - 1,
                size), remedy);
    }

    private static String shown(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
    }
}
