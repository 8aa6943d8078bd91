#!/bin/sh
# Everything that takes longer than `make test` may, one part after the other, for so many hours in all:
#
#     src/test/soak/soak.sh HOURS [SEED]
#
# A part is a script beside this one that takes `--seconds N --seed N` and ends with 1 if it found something. Exit code 1 if any did.
set -eu
hours=${1:?expected a number of hours, such as 0.5}
seed=${2:-1}
here=$(dirname "$0")
parts=$(find "$here" -name '*.sh' ! -name soak.sh | sort)
seconds=$(awk -v hours="$hours" -v parts="$(echo "$parts" | wc -l)" 'BEGIN { printf "%d", hours * 3600 / parts }')
found=0
for part in $parts; do
    echo "$(basename "$part" .sh): $seconds s, seed $seed"
    sh "$part" --seconds "$seconds" --seed "$seed" || found=1
done
exit "$found"
