What runs where in the baseline plan, which the phases start from; what they made of it stands in their documents under `docs/development_progress/`.
Written by npuflow from `config.json`; lines outside the two comments stay.

| | |
|---|---|
<#list facts as row>
| ${row?join(" | ")} |
</#list>

## Prefill

One pass over a prompt padded to ${padded} positions.

| Section | Step | On | Operation | Reads | Weights | Writes |
|---|---|---|---|---|---|---|
<#list prefill as row>
| ${row?join(" | ")} |
</#list>

## Decode

One pass a token.

| Section | Step | On | Operation | Reads | Weights | Writes |
|---|---|---|---|---|---|---|
<#list decode as row>
| ${row?join(" | ")} |
</#list>
