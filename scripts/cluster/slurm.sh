#!/bin/sh
# Answers about logs with Slurm: an array of tasks makes a part of each file, and a job that waits for all of
# them answers. OUT and the files are on storage that all nodes mount.
#
#   scripts/cluster/slurm.sh OUT FILE...
#   XTRACE=xtrace  XTRACE_REDUCE='dag -f json'  TASKS=1000 (below MaxArraySize)  SBATCH_... as ever
#
# Prints the number of the job that answers, into OUT/answer. Run it again after a failure: parts that are
# there are not made again, unless their logs were written to. A file without a part ends its task with 3, and the answer is not given.
set -eu

part_of() { printf '%s/parts/%s.xfacts' "$1" "$(printf %s "$2" | sha256sum | cut -c1-32)"; }
# How long a log was and when it was written to, and how long its part is: they stand beside the part.
state_of() { stat -Lc '%s %.9Y' "$1"; }
size_of() { stat -Lc '%s' "$1"; }
# Is there a part, whole, of the log as it is now? A log may have grown. Of one that went since, the part is what there is.
is_made() {
  [ -s "$2" ] && [ -e "$2.of" ] || return 1
  [ -e "$1" ] || [ "$(tail -n 1 "$2.of")" != "$(size_of "$2")" ] || return 0
  [ -f "$1" ] && [ "$(cat "$2.of")" = "$(state_of "$1"; size_of "$2")" ]
}
make() {
  is_made "$1" "$2" && return
  state=$(state_of "$1" || :)
  "$XTRACE" facts "$1" --key "$3/key" -j 1 -q -o "$2" && printf '%s\n%s\n' "$state" "$(size_of "$2")" > "$2.of"
}

case ${1-} in
  --map)  # every TASKS-th file
    out=$2 list=$3 bad=0 i=$SLURM_ARRAY_TASK_ID n=$(wc -l < "$3")
    while [ "$i" -le "$n" ]; do
      file=$(sed -n "${i}p" "$list")
      part=$(part_of "$out" "$file")
      make "$file" "$part" "$out" || bad=$?
      i=$((i + TASKS))
    done
    exit "$bad" ;;
  --reduce)
    out=$2 list=$3 now=$(mktemp -d "$2/now.XXXXXX")
    trap 'rm -rf "$now" "$list"' EXIT
    while read -r file; do
      part=$(part_of "$out" "$file")
      is_made "$file" "$part" || { echo "slurm.sh: no part of $file as it is now; run it again" >&2; exit 3; }
      ln -sf "$part" "$now/"
    done < "$list"
    # shellcheck disable=SC2086  # words of a command
    "$XTRACE" ${XTRACE_REDUCE:-dag -f json} "$now" -o "$out/answer"
    exit ;;
esac
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }

mkdir -p "$1/parts"
out=$(cd "$1" && pwd)
shift
[ -s "$out/key" ] || (umask 077; head -c 32 /dev/urandom > "$out/key")
# A list for each run: two may be on their way at once.
list=$(mktemp "$out/list.XXXXXX")
for file in "$@"; do readlink -m "$file"; done > "$list"
n=$(wc -l < "$list")
[ "$n" -lt "${TASKS:-1000}" ] && TASKS=$n
XTRACE=$(command -v "${XTRACE:-xtrace}")
export XTRACE TASKS="${TASKS:-1000}"
# Slurm runs a copy of this file, which therefore gets all it needs as words.
map=$(sbatch --parsable --job-name xtrace-facts --array "1-$TASKS" -c 1 --mem "${MAP_MEMORY:-512M}" \
  -o "$out/facts-%a.log" "$0" --map "$out" "$list")
# Without the last option a failure would let the answer wait for ever.
sbatch --parsable --job-name xtrace-answer --dependency "afterok:$map" --kill-on-invalid-dep yes \
  --mem "${REDUCE_MEMORY:-2G}" -o "$out/answer.log" "$0" --reduce "$out" "$list"
