#!/bin/sh
# Deploys a model again and again in a copy of the tree, and kills the process at instants that a seed chooses, as often as three times a deployment. After each
# kill the ledger must be intact; in the end the documents of the tree must be, byte for byte, those of a deployment that nobody killed:
#
#     src/test/soak/kills.sh --seconds 3600 [--seed N] [--model NAME]
#
# Exit code 1 if a deployment ended otherwise; its tree stays where the last line says.
set -eu
seconds=600
seed=1
model=tiny_kjv
while [ $# -gt 0 ]; do
    case $1 in
        --seconds) seconds=$2 ;;
        --seed) seed=$2 ;;
        --model) model=$2 ;;
        *) echo "kills.sh: expected --seconds, --seed or --model, not $1" >&2; exit 2 ;;
    esac
    shift 2
done
root=$(cd "$(dirname "$0")/../../.." && pwd)
[ -d "$root/distribution/target/lib" ] || (cd "$root" && make build)
folder=$(mktemp -d)

copy() {
    mkdir -p "$1/programming_examples" "$1/docs"
    cp -R "$root/programming_examples/llms" "$1/programming_examples/llms"
    cp -R "$root/docs/development_progress" "$1/docs/development_progress"
    : > "$1/pom.xml"
}

npuflow() {
    (cd "$1" && shift && exec "$root/bin/npuflow" "$@")
}

# What a deployment leaves for readers, without the one document that holds wall-clock times.
same() {
    diff -r --exclude=.npuflow --exclude=phase_timing.md "$1" "$2"
}

now() {
    date +%s
}

# Numbers from 0 to 999 that follow from the seed alone.
numbers=$folder/numbers
awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 100000; i++) print int(1000 * rand()) }' > "$numbers"
drawn=0
draw() {
    drawn=$((drawn + 1))
    number=$(sed -n "${drawn}p" "$numbers")
}

fail() {
    echo "kills: $1 (seed $seed, deployment $deployments); its tree is $tree" >&2
    echo "kills: $deployments deployments, $kills kills, $ended ended before they were killed, 1 failure, seed $seed"
    exit 1
}

deployments=0
kills=0
ended=0
begin=$(now)
tree=$folder/whole
copy "$tree"
before=$(date +%s%N)
npuflow "$tree" deploy "$model" > "$folder/out" 2>&1 || fail "a deployment that nobody killed ended with $?"
milliseconds=$((($(date +%s%N) - before) / 1000000))
while [ $(($(now) - begin)) -lt "$seconds" ]; do
    deployments=$((deployments + 1))
    tree=$folder/killed$deployments
    copy "$tree"
    draw
    times=$((1 + number % 3))
    resume=
    while [ "$times" -gt 0 ]; do
        times=$((times - 1))
        draw
        (cd "$tree" && exec "$root/bin/npuflow" deploy "$model" $resume) > "$folder/out" 2>&1 &
        process=$!
        sleep "$(awk -v number="$number" -v milliseconds="$milliseconds" 'BEGIN { printf "%.3f", number * milliseconds / 1e6 }')"
        if kill -KILL "$process" 2> /dev/null; then
            kills=$((kills + 1))
        else
            ended=$((ended + 1))
        fi
        wait "$process" 2> /dev/null || true
        status=0
        npuflow "$tree" ledger verify > "$folder/out" 2>&1 || status=$?
        case $status in
            0) ;;
            2) grep -q '^NPF-613' "$folder/out" || fail "$(cat "$folder/out")" ;;
            *) fail "$(cat "$folder/out")" ;;
        esac
        resume=--resume
    done
    status=0
    npuflow "$tree" deploy "$model" --resume > "$folder/out" 2>&1 || status=$?
    if [ "$status" -eq 2 ] && grep -q '^NPF-811' "$folder/out"; then
        status=0
        npuflow "$tree" deploy "$model" > "$folder/out" 2>&1 || status=$?
    fi
    [ "$status" -eq 0 ] || fail "the last run ended with $status: $(cat "$folder/out")"
    same "$folder/whole" "$tree" > "$folder/out" 2>&1 || fail "other documents: $(head -5 "$folder/out")"
    npuflow "$tree" ledger verify > "$folder/out" 2>&1 || fail "$(cat "$folder/out")"
    rm -rf "$tree"
done
rm -rf "$folder"
echo "kills: $deployments deployments, $kills kills, $ended ended before they were killed, 0 failures, seed $seed, $(($(now) - begin)) s"
