# What every model's Makefile does. Variables, as in mlir-air's model directories: those of words.mk, and
#   MODEL     variant of the checkpoint, instruct or base. Ours hold one set of weights, and no chat template is applied to either.
include $(dir $(lastword $(MAKEFILE_LIST)))words.mk

NPUFLOW ?= ../../../bin/npuflow
MODEL   ?= instruct

ifeq ($(filter instruct base,$(MODEL)),)
$(error MODEL=$(MODEL): expected instruct or base)
endif

# The prompt as arguments of the shell; none means the canonical prompt, which npuflow knows.
asked := set --; [ -z "$$IDS" ] || set -- "$$@" --ids "$$IDS"; [ -z "$$PROMPT" ] || set -- "$$@" --prompt "$$PROMPT"

# A byte-level tokenizer makes at most one token of a byte, and adds a BOS.
yaml      = $$(sed -n 's/^$(1): *//p' model.yaml)
positions := $(shell sed -n 's/.*"max_position_embeddings": *\([0-9]*\).*/\1/p' config.json)
used      := ids=$$IDS; text=$$PROMPT; [ -n "$$ids$$text" ] || { ids=$(call yaml,canonical_prompt_ids); text=$(call yaml,canonical_prompt); }; \
	if [ -n "$$ids" ]; then used=$$(printf '%s\n' "$$ids" | tr ',' '\n' | wc -l); else used=$$(($$(printf '%s' "$$text" | wc -c) + 1)); fi
clamp     := n=$$N_TOKENS; $(used); room=$$(($(positions) - used)); \
	case $$n in *[!0-9]*) ;; *) [ "$$n" -le "$$room" ] || [ "$$room" -lt 1 ] || n=$$room ;; esac

.PHONY: compile run profile verify verify-full diagnosis phase5 clean

compile:
	@$(NPUFLOW) compile .

run:
	@$(clamp); $(asked); $(NPUFLOW) generate . "$$@" -n "$$n" --engine npu

profile:
	@$(clamp); $(asked); $(NPUFLOW) profile . "$$@" -n "$$n"

verify:
	@$(NPUFLOW) verify .

verify-full:
	@$(NPUFLOW) verify . --full

diagnosis:
	@$(asked); $(NPUFLOW) diagnosis . "$$@"

phase5:
	@$(NPUFLOW) phase5 .

clean:
	@rm -rf build
