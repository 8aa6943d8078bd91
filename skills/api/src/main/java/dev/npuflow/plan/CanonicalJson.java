package dev.npuflow.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.InjectableValues;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// The one JSON form of plan data: properties in alphabetical order, no white space, numbers as Java prints them. Equal data has
/// equal bytes, so a hash proves a revert.
public final class CanonicalJson {

    /// Name of what stands in for a flag that JSON leaves out where it is false.
    static final String ABSENT = "absent flag";

    /// Name of what stands in for a list of lines that JSON of an earlier version does not have.
    public static final String ABSENT_LINES = "absent lines";

    /// The same for a list of records. A record that lacks two lists needs two names.
    public static final String ABSENT_RECORDS = "absent records";

    /// The same for one record that may be missing.
    public static final String ABSENT_FIGURES = "absent figures";

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .addMixIn(Step.class, StepKinds.class)
            .addMixIn(Source.class, SourceKinds.class)
            .injectableValues(new InjectableValues.Std().addValue(ABSENT, false).addValue(ABSENT_LINES, List.of()).addValue(ABSENT_RECORDS, List.of()).addValue(ABSENT_FIGURES, Optional.empty()))
            .build();

    private CanonicalJson() {}

    public static String write(Object planData) {
        return MAPPER.writeValueAsString(planData);
    }

    /// @throws IllegalArgumentException if `json` is not the form of a `type`
    public static <T> T read(String json, Class<T> type) {
        try {
            return Optional.ofNullable(MAPPER.readValue(json, type))
                    .orElseThrow(() -> new IllegalArgumentException("not a %s: null".formatted(type.getSimpleName())));
        } catch (tools.jackson.core.JacksonException e) {
            throw new IllegalArgumentException("not a %s: %s".formatted(type.getSimpleName(), e.getOriginalMessage()), e);
        }
    }

    /// SHA-256 of [#write], in hex.
    public static String hash(Object planData) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(write(planData).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "step")
    @JsonSubTypes({@JsonSubTypes.Type(value = NpuCall.class, name = "npu_call"), @JsonSubTypes.Type(value = HostOp.class, name = "host_op")})
    private interface StepKinds {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "from")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Source.Weight.class, name = "weight"),
        @JsonSubTypes.Type(value = Source.InterleavedWeights.class, name = "interleaved_weights"),
        @JsonSubTypes.Type(value = Source.Activation.class, name = "activation"),
        @JsonSubTypes.Type(value = Source.LookUpTable.class, name = "look_up_table"),
        @JsonSubTypes.Type(value = Source.Scratch.class, name = "scratch"),
        @JsonSubTypes.Type(value = Source.Packed.class, name = "packed")})
    private interface SourceKinds {}
}
