#!/bin/sh
# Answers about logs with GNU parallel: a part of each file on every core, or on the hosts of $HOSTS, which
# share these folders; then one answer from all parts.
#
#   scripts/cluster/parallel.sh OUT FILE...
#   XTRACE=xtrace  XTRACE_REDUCE='dag -f json'  JOBS=100%  HOSTS='8/host1,8/host2'
#
# The answer is OUT/answer, the key OUT/key: keep it as long as parts are to be joined by others. Run it again
# after a failure: parts that are there are not made again, unless their logs were written to. Ends as the
# answer does, or with 3 where a file has no part.
set -eu

# A part is called by the path of its file, so that the order and number of files may change.
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

if [ "${1-}" = --map ]; then
  part=$(part_of "$2" "$3")
  make "$3" "$part" "$2"
  exit
fi
[ $# -ge 2 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }

mkdir -p "$1/parts"
out=$(cd "$1" && pwd)
shift
[ -s "$out/key" ] || (umask 077; head -c 32 /dev/urandom > "$out/key")
export XTRACE="${XTRACE:-xtrace}"
self=$(readlink -f "$0")
# It fails where any file does; which one, and why, it says itself.
printf '%s\0' "$@" | parallel -0 --will-cite -j "${JOBS:-100%}" ${HOSTS:+--sshlogin "$HOSTS" --wd . --env XTRACE} \
  --retries 3 "$self" --map "$out" {} || true

# Only parts of these files: others may lie there from before, and another run may use them now.
now=$(mktemp -d "$out/now.XXXXXX")
trap 'rm -rf "$now"' EXIT
for file in "$@"; do
  part=$(part_of "$out" "$file")
  is_made "$file" "$part" || { echo "parallel.sh: no part of $file as it is now; run it again" >&2; exit 3; }
  ln -sf "$part" "$now/"
done
# shellcheck disable=SC2086  # words of a command
"$XTRACE" ${XTRACE_REDUCE:-dag -f json} "$now" -o "$out/answer"
