# Phase 1: kernels, ${name}

Each kernel and shape of the baseline plan, with the tile that the compiler placed.

| Phase | Kernel | Shape | Herd | Tile | Ping-pong | Calls |
|---|---|---|---|---|---|---|
<#list kernels as row>
| ${row?join(" | ")} |
</#list>
