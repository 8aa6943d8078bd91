# ${name}

## Phase status

- [x] Phase 0: Build CPU Reference
  - npuflow: every tensor is there, in the shape that config.json says
- [x] Phase 1: Kernel Validation
  - npuflow: ${kernels?size} of ${kernels?size} kernels placed, see docs/development_progress/phase1_kernels.md
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
| n_layers | ${layers} |
| emb_dim | ${hidden} |
| n_heads | ${heads} |
| n_kv_heads | ${kv_heads} |
| head_dim | ${head_dim} |
| hidden_dim | ${intermediate} |
| vocab_size | ${vocab} |
