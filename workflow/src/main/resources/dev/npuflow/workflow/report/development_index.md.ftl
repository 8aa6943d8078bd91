# Development progress

Written by npuflow from the models' documents; a change made here is lost with the next run.

| Model | Phase | Status | ms before | ms after | Speed-up | Figures | Document |
|---|--:|---|--:|--:|--:|---|---|
<#list rows as row>
| ${row?join(" | ")} |
</#list>
