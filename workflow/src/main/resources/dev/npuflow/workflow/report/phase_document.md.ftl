# ${title}, ${model}

${marker}

Figures: ${source}

Written by npuflow from its ledger; a change made here is lost with the next run.

Result: **${status}**, ${summary}

<#list notes as note>
${note}

</#list>
![baseline and each plan that was kept: what the time was spent on](${picture})

Milliseconds in this table: ${figure}.

| Skill | Outcome | ms before | ms after | Delta | Reason |
|---|---|--:|--:|--:|---|
<#list skills as row>
| ${row?join(" | ")} |
</#list>

<#list sections as section>
## ${section.title()}

<#list section.bullets() as bullet>
- ${bullet}
</#list>

</#list>
## Baseline and final

| | Baseline | Final |
|---|--:|--:|
<#list figures as row>
| ${row?join(" | ")} |
</#list>

## Verify

<#list gates as gate>
### ${gate.title}

${gate.reason}

| Prompt | Steps | Upstream's rule | | Every step | |
|--:|--:|---|---|---|---|
<#list gate.rows as row>
| ${row?join(" | ")} |
</#list>

</#list>
## Where each millisecond went

Of one pass over the model, in the order of the data flow.

| Step | On | Calls before | ms before | Calls after | ms after |
|---|---|--:|--:|--:|--:|
<#list spent as row>
| ${row?join(" | ")} |
</#list>

## Kept and reverted

<#list evidence as line>
${line?starts_with("  ")?then("  - " + line?trim, "- " + line)}
</#list>
