# Phase 3: full model, ${model}

${marker}

Figures: ${source}

Written by npuflow from its ledger; a change made here is lost with the next run.

Result: **${status}**

<#list notes as note>
${note}

</#list>
## Verify

### ${gate.title}

${gate.reason}

| Prompt | Steps | Upstream's rule | | Every step | |
|--:|--:|---|---|---|---|
<#list gate.rows as row>
| ${row?join(" | ")} |
</#list>

Plan `${plan}`
