# Development progress

Written by npuflow from the models' documents; a change made here is lost with the next run.

Milliseconds are those of the figure that decides: a token in Phases 3 and 5, the wall time of a prefill in Phase 4.

| Model | Phase | Status | ms before | ms after | Speed-up | Figures | Document |
|---|--:|---|--:|--:|--:|---|---|
<#list rows as row>
| ${row?join(" | ")} |
</#list>
