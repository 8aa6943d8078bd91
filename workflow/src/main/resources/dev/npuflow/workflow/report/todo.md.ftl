# ${name}

## Phase status

- [ ] Phase 0: Build CPU Reference
- [ ] Phase 1: Kernel Validation
- [ ] Phase 2: Single-Block
- [ ] Phase 3: Full-Model
- [ ] Phase 4: Prefill Opt
- [ ] Phase 5: Decode Opt
- [ ] Phase 6: Finalize & Learn
- [ ] Phase 7: Independent Evaluation

## Active blockers

None.

## Resolved config

| Field | Value |
|---|---|
<#list config as row>
| ${row?join(" | ")} |
</#list>
