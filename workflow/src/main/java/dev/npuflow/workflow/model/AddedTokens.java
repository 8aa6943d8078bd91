package dev.npuflow.workflow.model;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import dev.npuflow.fault.NpuflowException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/// The added tokens that a model directory states beside its tokenizer.json and that tokenizer.json lacks, or has with other flags.
///
/// They go behind tokenizer.json's own entries, in the order of their ids: that is how transformers hands them to the library, which then decides as it does
/// there. Flags that come later win, but a token that was special stays special.
///
/// @param source the file that gives the ids
/// @param tokens what has to be added, in order
record AddedTokens(String source, List<AddedToken> tokens) {

    private static final int SHOWN = 60;
    private static final String REMEDY = "the tokenizer's files as they were published together";

    AddedTokens {
        tokens = List.copyOf(tokens);
    }

    /// @param own the entries of tokenizer.json
    /// @throws NpuflowException NPF-101 to NPF-108 naming file and field, NPF-155 where two entries contradict each other
    static AddedTokens beside(Path tokenizer, List<AddedToken> own) {
        StatedTokens stated = StatedTokens.beside(tokenizer, own);
        requireOneIdEach(stated, own);
        Map<String, AddedToken> known = new LinkedHashMap<>();
        own.forEach(token -> known.put(token.content(), token));
        Set<String> special = stated.named().stream().map(AddedToken::content).collect(Collectors.toSet());
        List<AddedToken> added = new ArrayList<>();
        for (AddedToken token : stated.tokens()) {
            AddedToken whole = special.contains(token.content()) ? token.asSpecial() : token;
            if (!token.content().isEmpty() && !whole.equals(known.put(whole.content(), whole))) {
                added.add(whole);
            }
        }
        for (AddedToken token : stated.named()) {
            AddedToken whole = known.getOrDefault(token.content(), token).asSpecial();
            if (!whole.equals(known.put(whole.content(), whole))) {
                added.add(whole);
            }
        }
        return new AddedTokens(stated.source(), added);
    }

    private static void requireOneIdEach(StatedTokens stated, List<AddedToken> own) {
        Map<Integer, String> contents = new HashMap<>();
        Map<String, Integer> ids = new HashMap<>();
        for (AddedToken token : own) {
            token.id().ifPresent(id -> {
                contents.put(id, token.content());
                ids.put(token.content(), id);
            });
        }
        for (AddedToken token : stated.tokens()) {
            int id = token.id().orElseThrow();
            Integer otherId = ids.putIfAbsent(token.content(), id);
            if (otherId != null && otherId != id) {
                throw contradiction(stated.source(), token.content(), id, "%d, its id in another place".formatted(otherId));
            }
            String other = contents.putIfAbsent(id, token.content());
            if (other != null && !other.equals(token.content())) {
                throw contradiction(stated.source(), token.content(), id, "another id, for this one is that of %s".formatted(shown(other)));
            }
        }
    }

    /// The library numbers added tokens itself, whatever their entries say: after the vocabulary, in their order. A file that says otherwise would give ids of
    /// other rows of the embedding.
    ///
    /// @throws NpuflowException NPF-155 naming the first token whose id is not the one that its file says
    void requireIds(HuggingFaceTokenizer library) {
        for (AddedToken token : tokens) {
            OptionalInt given = idOf(token, library);
            if (token.id().isPresent() && given.isPresent() && token.id().getAsInt() != given.getAsInt()) {
                throw contradiction(source, token.content(), token.id().getAsInt(), "%d, the next id that is free in tokenizer.json, or the token's own there"
                        .formatted(given.getAsInt()));
            }
        }
    }

    /// Empty where a text of just this token is not read as this token: a longer one, or one that comes first, takes a part of it.
    private static OptionalInt idOf(AddedToken token, HuggingFaceTokenizer library) {
        Encoding encoding = library.encode(token.content(), false, false);
        int at = Arrays.asList(encoding.getTokens()).indexOf(token.content());
        return at < 0 ? OptionalInt.empty() : OptionalInt.of(Math.toIntExact(encoding.getIds()[at]));
    }

    private static NpuflowException contradiction(String source, String content, int id, String expected) {
        return NpuflowException.badInput("NPF-155", "%s: id of token %s".formatted(source, shown(content)), id, expected, REMEDY);
    }

    private static String shown(String content) {
        return content.length() > SHOWN ? content.substring(0, SHOWN) + "..." : content;
    }
}
