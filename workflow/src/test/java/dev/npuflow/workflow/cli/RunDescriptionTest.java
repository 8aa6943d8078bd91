package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunDescriptionTest {

    private static final Map<String, String> RECORDED = Map.of("self_check", "true", "prompts", "8", "prompt_ids", "a".repeat(64), "skills", "a,b", "skill_options",
            "{\"conservative\":\"on\"}", "skill_code", "{\"a\":\"" + "1".repeat(64) + "\",\"b\":\"" + "2".repeat(64) + "\"}", "gate_file_path", "/a", "build", "npuflow 0.1.0 "
            + "c".repeat(64));

    private static List<String> differences(String name, String value) {
        TreeMap<String, String> other = new TreeMap<>(RECORDED);
        other.put(name, value);
        return RunDescription.differences(new TreeMap<>(RECORDED), other);
    }

    @ParameterizedTest @CsvSource(delimiter = '|', value = {
        "self_check | false | self_check false, and was true",
        "skills | b,a | skills b,a, and was a,b",
        "skill_options | {} | skill options of conservative none, and was on",
        "skill_options | {\"conservative\":\"on\",\"x\":\"1\"} | skill options of x 1, and was none",
        "gate_file | f00d | gate_file f00d, and was none",
        "build | npuflow 0.1.0 dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd | build npuflow 0.1.0 dddddddddddd, and was npuflow 0.1.0 cccccccccccc",
        "skill_code | {\"a\":\"1111111111111111111111111111111111111111111111111111111111111111\",\"b\":\"f00d\"} | skill code of b f00d, and was 222222222222"})
    void the_one_thing_that_differs_is_named_and_nothing_else(String name, String value, String told) {
        assertEquals(List.of(told), differences(name, value));
    }

    @Test void the_same_does_not_differ_and_where_a_gate_file_lies_does_not_count() {
        assertEquals(List.of(), RunDescription.differences(new TreeMap<>(RECORDED), new TreeMap<>(RECORDED)));
        assertEquals(List.of(), differences("gate_file_path", "/b"));
    }

    @Test void only_prompts_and_gate_file_make_another_judge() {
        TreeMap<String, String> other = new TreeMap<>(RECORDED);
        other.put("build", "another");
        assertEquals(List.of(), RunDescription.otherJudge(new TreeMap<>(RECORDED), other));
        other.put("prompt_ids", "b");
        other.put("gate_file", "f00d");
        assertEquals(List.of("prompt_ids", "gate_file"), RunDescription.otherJudge(new TreeMap<>(RECORDED), other));
    }

    @Test void what_no_npuflow_wrote_in_a_row_is_told_whole() {
        assertEquals(List.of("skill options of all [, and was none", "skill options of conservative none, and was on"), differences("skill_options", "["));
    }
}
