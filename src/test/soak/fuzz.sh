#!/bin/sh
# Reads damaged inputs of every kind for as long as asked, and tells of each that is neither read nor refused in one line:
#
#     src/test/soak/fuzz.sh --seconds 3600 [--seed N] [--subject NAME]
#     src/test/soak/fuzz.sh --subject config --seed 1 --input 42        one of them again
#
# Exit code 1 if anything was found. Where native code ends the process, target/fuzz/now says by which input.
set -eu
cd "$(dirname "$0")/../../.."
JAVA25_HOME=$(bin/ensure-jdk)
export JAVA25_HOME
if [ ! -d workflow/target/test-classes/dev/npuflow/workflow/fuzz ] || [ ! -d distribution/target/lib ]; then
    bin/ticking bin/maven -B -ntp -q -pl distribution -am -DskipTests package
fi
mkdir -p target
status=0
"$JAVA25_HOME/bin/java" -XX:-OmitStackTraceInFastThrow --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector \
    -cp 'workflow/target/test-classes:distribution/target/lib/*' dev.npuflow.workflow.fuzz.FuzzRun "$@" 2> target/fuzz-errors || status=$?
grep -v '^WARNING: Using incubator' target/fuzz-errors >&2 || true
if [ "$status" -gt 1 ] && [ -f target/fuzz/now ]; then
    echo "the process ended with $status; again: $(cat target/fuzz/now)" >&2
fi
exit "$status"
