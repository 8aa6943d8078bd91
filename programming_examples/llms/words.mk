# What a user says to the targets of a model, as variables:
#   PROMPT    text to go on from; the canonical prompt of model.yaml if left out or empty
#   IDS       token ids instead, for a model without a tokenizer
#   N_TOKENS  how many to make, 32; at most what fits into the model's positions beside the prompt
# A word reaches npuflow through the environment, and make expands nothing in it: what the user wrote arrives byte for byte. (Make itself drops
# blanks before the value of NAME=value; PROMPT='  text' make run keeps them.)
override PROMPT   := $(value PROMPT)
override IDS      := $(value IDS)
override N_TOKENS := $(or $(value N_TOKENS),32)
export PROMPT IDS N_TOKENS

# Make tells small letters from capitals: prompt=... would be another variable, and nobody would read it.
small = $(if $(filter command,$(firstword $(origin $(1)))),$(error $(1)=: expected $(2) in capitals; try make run $(2)=...))
$(call small,prompt,PROMPT)$(call small,ids,IDS)$(call small,n_tokens,N_TOKENS)$(call small,model,MODEL)
