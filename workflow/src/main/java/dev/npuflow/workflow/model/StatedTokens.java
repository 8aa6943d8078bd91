package dev.npuflow.workflow.model;

import dev.npuflow.workflow.file.RegularFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// What the files beside a tokenizer.json say about added tokens: `added_tokens_decoder` of tokenizer_config.json, and where that is missing, added_tokens.json
/// and special_tokens_map.json, which older versions wrote. transformers reads the same, in the same order.
///
/// @param source the file that gives the ids
/// @param tokens with ids, by id
/// @param named  special tokens by role (`bos_token`, ...), in transformers' order; without ids
record StatedTokens(String source, List<AddedToken> tokens, List<AddedToken> named) {

    /// The largest published tokenizer_config.json files are below 4 MB.
    private static final long MAXIMUM_BYTES = 16 << 20;
    private static final String CONFIG = "tokenizer_config.json";
    private static final String LIST = "added_tokens.json";
    private static final String ROLES = "special_tokens_map.json";
    private static final String DECODER = "added_tokens_decoder";
    private static final List<String> ONE = List.of("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token");
    private static final List<String> SEVERAL = List.of("additional_special_tokens", "extra_special_tokens");
    private static final Pattern ID = Pattern.compile("0|[1-9][0-9]{0,8}");

    StatedTokens {
        tokens = tokens.stream().sorted(Comparator.comparingInt(token -> token.id().orElseThrow())).toList();
        named = List.copyOf(named);
    }

    /// Every file that [#beside] may read is a file, or is not there.
    ///
    /// @throws dev.npuflow.fault.NpuflowException NPF-101, NPF-107, NPF-108
    static void requireReadable(Path tokenizer) {
        Stream.of(CONFIG, LIST, ROLES).forEach(name -> RegularFile.find(tokenizer.resolveSibling(name)));
    }

    /// @param own those of tokenizer.json: an id in added_tokens.json comes without flags, and takes them from there
    /// @throws dev.npuflow.fault.NpuflowException NPF-101 to NPF-108 naming file and field
    static StatedTokens beside(Path tokenizer, List<AddedToken> own) {
        requireReadable(tokenizer);
        Optional<JsonFields> config = fields(tokenizer, CONFIG);
        Optional<JsonFields> decoder = config.flatMap(fields -> fields.object(DECODER));
        if (decoder.isPresent()) {
            return new StatedTokens(CONFIG, decoded(decoder.get()), named(config.stream().toList()));
        }
        List<AddedToken> named = named(Stream.of(fields(tokenizer, ROLES), config).flatMap(Optional::stream).toList());
        return new StatedTokens(LIST, fields(tokenizer, LIST).map(list -> listed(list, own, named)).orElse(List.of()), named);
    }

    private static Optional<JsonFields> fields(Path tokenizer, String name) {
        return RegularFile.find(tokenizer.resolveSibling(name)).map(file -> JsonFields.read(file, MAXIMUM_BYTES));
    }

    private static List<AddedToken> decoded(JsonFields decoder) {
        return decoder.node().propertyNames().stream().map(id -> {
            if (!ID.matcher(id).matches()) {
                throw decoder.fault(id, "a token id before it");
            }
            return AddedToken.of(OptionalInt.of(Integer.parseInt(id)), decoder.object(id).orElseThrow(() -> decoder.missing(id)));
        }).toList();
    }

    private static List<AddedToken> listed(JsonFields list, List<AddedToken> own, List<AddedToken> named) {
        Map<String, AddedToken> known = own.stream().collect(Collectors.toMap(AddedToken::content, Function.identity(), (_, later) -> later));
        List<String> special = named.stream().map(AddedToken::content).toList();
        return list.node().propertyNames().stream().map(content -> {
            OptionalInt id = OptionalInt.of(list.natural(content).orElseThrow(() -> list.missing(content)));
            return known.getOrDefault(content, AddedToken.plain(id, AddedToken.content(list, content, content), special.contains(content))).withId(id);
        }).toList();
    }

    /// @param files the first that names a role decides
    private static List<AddedToken> named(List<JsonFields> files) {
        List<AddedToken> named = new ArrayList<>();
        for (String role : ONE) {
            files.stream().filter(file -> file.has(role)).findFirst().ifPresent(file -> named.add(special(file, role, file.node().get(role))));
        }
        for (String role : SEVERAL) {
            files.stream().filter(file -> file.has(role)).findFirst()
                    .ifPresent(file -> file.node().get(role).valueStream().forEach(value -> named.add(special(file, role, value))));
        }
        return named.stream().filter(token -> !token.content().isEmpty()).toList();
    }

    private static AddedToken special(JsonFields file, String role, JsonNode value) {
        if (value.isObject()) {
            return AddedToken.of(OptionalInt.empty(), new JsonFields(file.where() + ": " + role, value, file.strict())).asSpecial();
        }
        if (!value.isString()) {
            throw file.fault(role, "a token's text, or an object with it");
        }
        return AddedToken.plain(OptionalInt.empty(), AddedToken.content(file, role, value.stringValue()), true);
    }
}
