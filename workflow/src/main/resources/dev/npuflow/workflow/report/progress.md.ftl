# Progress, ${model}

Written by npuflow from its ledger; a change made here is lost with the next run.

| Phase | Status | Plan | Document |
|--:|---|---|---|
<#list rows as row>
${row}
</#list>
