# npuflow from the source tree. MODEL is a directory under programming_examples/llms.
MODEL ?= tiny_kjv
LLMS  := programming_examples/llms
LIB   := distribution/target/lib
MVN   := bin/maven -B -ntp

# The model Makefiles have a MODEL of their own, the variant of the checkpoint; ours must not reach them. What they do take reaches them
# through the environment, where it stays as it is.
include $(LLMS)/words.mk
unexport MODEL
ifneq ($(origin NPUFLOW),undefined)
export NPUFLOW
endif
MAKEOVERRIDES :=

MODEL_TARGETS := compile run profile verify verify-full diagnosis phase5

.DEFAULT_GOAL := help
.PHONY: help build demo test soak bench mutants compare-figures docs-check install clean $(MODEL_TARGETS)

help:
	@echo 'make demo                  build, then Phase 5 on tiny_kjv: every skill tried, judged, kept or reverted'
	@echo 'make test                  all tests'
	@echo 'make soak HOURS=<n>        what takes longer: real kills at random instants, damaged inputs; SEED=<n> repeats a run'
	@echo 'make build                 compile and lay out what bin/npuflow starts'
	@echo 'make phase5 MODEL=<model>  the same on another model; also: $(filter-out phase5,$(MODEL_TARGETS))'
	@echo 'make bench                 the speed of the kernels and of whole runs'
	@echo 'make mutants               small changes of gate, phases and ledger, and which of them no test notices'
	@echo 'make compare-figures BASE=<commit>   whether HEAD gives the same figures, plans and traces as another commit, byte for byte'
	@echo 'make docs-check            what the documents say and make test leaves out because it is slow'
	@echo 'make install               skill API and test kit into the local Maven repository, for the pom of a skill elsewhere'
	@echo 'make clean                 remove what was built; the workspace .npuflow and what was fetched into .jdk stay'
	@echo 'models: $(patsubst $(LLMS)/%/Makefile,%,$(wildcard $(LLMS)/*/Makefile)) (tiny_kjv if MODEL is left out)'

build:
	@echo 'Building npuflow (a first build fetches its libraries) ...'
	@bin/ticking sh -c '$(MVN) -q -pl distribution -am -Dmaven.test.skip=true package && bin/npuflow --version'

demo: build
	@bin/npuflow phase5 tiny_kjv
	@echo 'The document: $(LLMS)/tiny_kjv/docs/development_progress/phase5_decode.md'

test:
	$(MVN) verify

# Each script of src/test/soak for its share of the hours.
HOURS ?= 1
SEED ?= 1
soak: build
	@src/test/soak/soak.sh $(HOURS) $(SEED)

$(LIB):
	@$(MAKE) build

$(MODEL_TARGETS): | $(LIB)
	@test -f $(LLMS)/$(MODEL)/Makefile || { echo "no model $(MODEL) under $(LLMS): try one of" \
		"$(patsubst $(LLMS)/%/Makefile,%,$(wildcard $(LLMS)/*/Makefile)), or 'bin/npuflow $(subst run,generate,$(subst verify-full,verify --full,$@)) <directory>'" >&2; exit 2; }
	@$(MAKE) --no-print-directory -C $(LLMS)/$(MODEL) $@

# Figures of one run are to be compared with each other only: a machine's memory bandwidth changes from minute to minute.
BENCH = $$(bin/ensure-jdk)/bin/java --add-exports java.base/jdk.internal.module=ALL-UNNAMED --enable-native-access=ALL-UNNAMED -cp 'benchmarks/target/classes:benchmarks/target/lib/*:$(LIB)/*' dev.npuflow.benchmarks.WithVectors
bench: build
	@bin/ticking $(MVN) -q -pl benchmarks -am -Dmaven.test.skip=true package
	@$(BENCH) org.openjdk.jmh.Main EventQueueHold
	@$(BENCH) dev.npuflow.workflow.reference.GemvBandwidth
	@$(BENCH) dev.npuflow.benchmarks.NpuGemvBandwidth
	@$(BENCH) dev.npuflow.benchmarks.DecodeToken $(LLMS)/llama32_1b .npuflow
	@$(BENCH) dev.npuflow.benchmarks.LongPrefill $(LLMS)/llama32_1b .npuflow
	@$(BENCH) dev.npuflow.benchmarks.LogitDistance $(LLMS)/llama32_1b .npuflow
	@$(BENCH) dev.npuflow.benchmarks.GateCost $(LLMS)/llama32_1b .npuflow
	@$(BENCH) dev.npuflow.benchmarks.WholeRuns .
	@$(MAKE) mutants

# At least 90 % of the changes must be noticed, else make fails; target/pit-reports of each module shows the others.
mutants:
	@JAVA25_HOME=$$(bin/ensure-jdk) $(MVN) -q -pl workflow -am -Pmutants test-compile org.pitest:pitest-maven:mutationCoverage

compare-figures:
	@test -n "$(BASE)" || { echo 'BASE: expected a commit; try make compare-figures BASE=HEAD~1' >&2; exit 2; }
	@benchmarks/compare-figures $(BASE)

docs-check:
	$(MVN) verify -pl src/test -am -Dgroups=slow -Dnpuflow.excluded= -Dsurefire.failIfNoSpecifiedTests=false

# dev.npuflow:npuflow-skill-api and npuflow-skill-testkit, and what they need.
install:
	@bin/ticking $(MVN) -q -pl skills/testkit -am -Dmaven.test.skip=true install
	@echo 'In the local Maven repository: dev.npuflow:npuflow-skill-api and npuflow-skill-testkit'

clean:
	@rm -rf target */target skills/*/target src/test/target
