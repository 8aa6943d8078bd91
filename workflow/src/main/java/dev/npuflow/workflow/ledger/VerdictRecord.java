package dev.npuflow.workflow.ledger;

import dev.npuflow.workflow.gate.Verdict;

/// One verification of one plan. Without its own record a gate has not passed.
///
/// @param plan   hash
/// @param report path of the JSON report
/// @param rules  the rules' outcome, as JSON
public record VerdictRecord(String plan, Verdict verdict, String report, String rules) {}
