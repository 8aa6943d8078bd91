#!/bin/sh
# Compiles the skill and its tests and packs target/${name}.jar, with a JDK 25 and the jars of npuflow alone.
# NPUFLOW_HOME is npuflow's tree or installation; without it, the npuflow on the PATH is taken.
set -eu
cd "$(dirname "$0")"
command=$(command -v npuflow || true)
<#noparse>home=${NPUFLOW_HOME:-}</#noparse>
[ -n "$home" ] || [ -z "$command" ] || home=$(dirname "$(dirname "$(readlink -f "$command")")")
[ -x "$home/bin/npuflow" ] || { echo "$0: no npuflow in '$home': expected its tree or installation; try NPUFLOW_HOME=<directory>, or npuflow on the PATH" >&2; exit 3; }
lib=$home/lib
[ ! -d "$home/distribution" ] || lib=$home/distribution/target/lib
[ -d "$lib/testkit" ] || { echo "$0: no $lib/testkit: expected a built npuflow; try 'make build' in $home" >&2; exit 3; }
bin=$("$home/bin/ensure-jdk")/bin

rm -rf target
mkdir -p target/classes/META-INF/npuflow/skills/${name} target/test-classes
"$bin/javac" -cp "$lib/*" -d target/classes $(find src/main/java -name '*.java')
cp -R src/main/resources/. target/classes
cp SKILL.md target/classes/META-INF/npuflow/skills/${name}
"$bin/javac" -cp "target/classes:$lib/*:$lib/testkit/*" -d target/test-classes $(find src/test/java -name '*.java')
"$bin/jar" --create --file target/${name}.jar -C target/classes .
