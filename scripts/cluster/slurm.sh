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
# Of a file: how long it is and when it was written to, which stand beside its part.
state_of() { stat -Lc '%s %.9Y' "$1"; }
# Is there a part of the file as it is now? A log may have grown.
is_made() { [ -f "$1" ] && [ -s "$2" ] && [ -e "$2.of" ] && [ "$(cat "$2.of")" = "$(state_of "$1")" ]; }
make() {
  is_made "$1" "$2" && return
  [ -e "$1" ] || [ ! -s "$2" ] || return 0  # the log went since; its part is what there is
  state=$(state_of "$1" || :)
  "$XTRACE" facts "$1" --key "$3/key" -j 1 -q -o "$2" && printf '%s\n' "$state" > "$2.of"
}

case ${1-} in
  --map)  # every TASKS-th file
    out=$2 bad=0 i=$SLURM_ARRAY_TASK_ID n=$(wc -l < "$2/list")
    while [ "$i" -le "$n" ]; do
      file=$(sed -n "${i}p" "$out/list")
      part=$(part_of "$out" "$file")
      make "$file" "$part" "$out" || bad=$?
      i=$((i + TASKS))
    done
    exit "$bad" ;;
  --reduce)
    out=$2
    mkdir -p "$out/now"
    find "$out/now" -type l -delete
    while read -r file; do
      part=$(part_of "$out" "$file")
      [ -s "$part" ] || { echo "slurm.sh: no part of $file; run it again" >&2; exit 3; }
      ln -sf "$part" "$out/now/"
    done < "$out/list"
    # shellcheck disable=SC2086  # words of a command
    exec "$XTRACE" ${XTRACE_REDUCE:-dag -f json} "$out/now" -o "$out/answer" ;;
esac
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }

mkdir -p "$1/parts"
out=$(cd "$1" && pwd)
shift
[ -s "$out/key" ] || (umask 077; head -c 32 /dev/urandom > "$out/key")
for file in "$@"; do readlink -m "$file"; done > "$out/list"
n=$(wc -l < "$out/list")
[ "$n" -lt "${TASKS:-1000}" ] && TASKS=$n
XTRACE=$(command -v "${XTRACE:-xtrace}")
export XTRACE TASKS="${TASKS:-1000}"
# Slurm runs a copy of this file, which therefore gets all it needs as words.
map=$(sbatch --parsable --job-name xtrace-facts --array "1-$TASKS" -c 1 --mem "${MAP_MEMORY:-512M}" \
  -o "$out/facts-%a.log" "$0" --map "$out")
# Without the last option a failure would let the answer wait for ever.
sbatch --parsable --job-name xtrace-answer --dependency "afterok:$map" --kill-on-invalid-dep yes \
  --mem "${REDUCE_MEMORY:-2G}" -o "$out/answer.log" "$0" --reduce "$out"
