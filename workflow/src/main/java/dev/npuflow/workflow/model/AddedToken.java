package dev.npuflow.workflow.model;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import java.util.OptionalInt;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Text that is one token wherever it stands: the tokenizer cuts it out before it splits the rest.
///
/// @param id         empty for a special token that a file names without an id
/// @param singleWord only where no letter or digit touches it
/// @param lstrip     takes the white space before it along
/// @param rstrip     takes the white space behind it along
/// @param normalized looked for in the text after the tokenizer's normalizer, not in the text as it was given
/// @param special    left out of decoded text
record AddedToken(OptionalInt id, String content, boolean singleWord, boolean lstrip, boolean rstrip, boolean normalized, boolean special) {

    /// Published ones have up to a hundred characters. The library (tokenizers 0.21) builds what it looks for them with in minutes where one of them has 80,000.
    private static final int LONGEST = 4096;

    /// A token of which only the text is known, with the flags that transformers' `AddedToken` has by default.
    static AddedToken plain(OptionalInt id, String content, boolean special) {
        return new AddedToken(id, content, false, false, false, !special, special);
    }

    /// @throws dev.npuflow.fault.NpuflowException NPF-104, NPF-105 naming file and field
    static AddedToken of(OptionalInt id, JsonFields fields) {
        String content = content(fields, "content", fields.text("content").orElseThrow(() -> fields.missing("content")));
        boolean special = fields.flag("special").orElse(false);
        return new AddedToken(id, content, fields.flag("single_word").orElse(false), fields.flag("lstrip").orElse(false), fields.flag("rstrip").orElse(false),
                fields.flag("normalized").orElse(!special), special);
    }

    /// The text itself, if the library can look for it.
    ///
    /// @param name of the field that it is from
    /// @throws dev.npuflow.fault.NpuflowException NPF-105
    static String content(JsonFields fields, String name, String content) {
        if (content.length() > LONGEST || TokenizerSyntax.hasHalfSurrogate(content)) {
            throw fields.fault(name, format(ROOT, "text of at most %d characters, without half of a surrogate pair", LONGEST));
        }
        return content;
    }

    AddedToken withId(OptionalInt newId) {
        return new AddedToken(newId, content, singleWord, lstrip, rstrip, normalized, special);
    }

    AddedToken asSpecial() {
        return new AddedToken(id, content, singleWord, lstrip, rstrip, normalized, true);
    }

    /// An entry of `added_tokens` in a tokenizer.json. The library wants an id there and goes by the order of the entries, so any will do for one that has none.
    ObjectNode json() {
        return JsonNodeFactory.instance.objectNode().put("id", id.orElse(0)).put("content", content).put("single_word", singleWord).put("lstrip", lstrip)
                .put("rstrip", rstrip).put("normalized", normalized).put("special", special);
    }
}
