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

# Only parts of these files: others may lie there from before.
rm -f "$out/list"
for file in "$@"; do
  part=$(part_of "$out" "$file")
  [ -s "$part" ] || { echo "parallel.sh: no part of $file; run it again" >&2; exit 3; }
  printf '%s\0' "$part" >> "$out/list"
done
mkdir -p "$out/now"
find "$out/now" -type l -delete
tr '\0' '\n' < "$out/list" | while read -r part; do ln -sf "$part" "$out/now/"; done
# shellcheck disable=SC2086  # words of a command
exec "$XTRACE" ${XTRACE_REDUCE:-dag -f json} "$out/now" -o "$out/answer"
