# Phase timing, ${model}

Wall-clock times of each phase's last run, from the ledger; a change made here is lost with the next run.

| Phase | Begun, UTC | Ended, UTC | wall_min | npu_runtime_s, simulated | notes |
|--:|---|---|--:|--:|---|
<#list rows as row>
| ${row?join(" | ")} |
</#list>
