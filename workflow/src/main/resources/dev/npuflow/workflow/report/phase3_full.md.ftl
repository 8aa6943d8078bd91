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

## Layers

Each layer's output in the canonical prompt's prefill, the last one's after the final norm, against the reference's. It informs; the gate decides.

| Layer | cos_p5 | cos_min | cos_median | max_abs | max_rel |
|--:|--:|--:|--:|--:|--:|
<#list layers as row>
| ${row?join(" | ")} |
</#list>

Plan `${plan}`
