# What every model's Makefile does. Variables, as in mlir-air's model directories:
#   PROMPT    text to go on from; the canonical prompt of model.yaml if left out
#   IDS       token ids instead, for a model without a tokenizer
#   N_TOKENS  how many to make, 32; at most what fits into the model's positions beside the prompt
#   MODEL     variant of the checkpoint, instruct or base. Ours hold one set of weights, and no chat template is applied to either.
NPUFLOW  ?= ../../../bin/npuflow
MODEL    ?= instruct
N_TOKENS ?= 32

ifeq ($(filter instruct base,$(MODEL)),)
$(error MODEL=$(MODEL): expected instruct or base)
endif

yaml   = $(shell sed -n 's/^$(1): *//p' model.yaml)
chosen := $(PROMPT)$(IDS)
ifeq ($(chosen),)
PROMPT := $(call yaml,canonical_prompt)
IDS    := $(shell echo '$(call yaml,canonical_prompt_ids)' | tr -d '[] ')
endif
# The prompt is text of the user's: it reaches the shell through the environment, where nothing in it is expanded.
export PROMPT
prompt := $(if $(IDS),--ids $(IDS),--prompt "$$PROMPT")

# A byte-level tokenizer makes at most one token of a byte, and adds a BOS.
positions := $(shell sed -n 's/.*"max_position_embeddings": *\([0-9]*\).*/\1/p' config.json)
used      := $(if $(IDS),$$(echo '$(IDS)' | tr ',' '\n' | wc -l),$$(($$(printf '%s' "$$PROMPT" | wc -c) + 1)))
clamp     := n=$(N_TOKENS); room=$$(($(positions) - $(used))); [ $$n -le $$room ] || n=$$room

.PHONY: compile run profile verify verify-full diagnosis phase5 clean

compile:
	@$(NPUFLOW) compile .

run:
	@$(clamp); $(NPUFLOW) generate . $(prompt) -n $$n --engine npu

profile:
	@$(clamp); $(NPUFLOW) profile . $(if $(chosen),$(prompt)) -n $$n

verify:
	@$(NPUFLOW) verify .

verify-full:
	@$(NPUFLOW) verify . --full

diagnosis:
	@$(NPUFLOW) diagnosis . $(if $(chosen),$(prompt))

phase5:
	@$(NPUFLOW) phase5 .

clean:
	@rm -rf build
