#!/usr/bin/env python3
"""Answers about logs with Dask: a part of each file on the workers, then one answer from all parts.

    DASK_SCHEDULER_ADDRESS=tcp://HOST:8786 scripts/cluster/on_dask.py OUT FILE...
    XTRACE=xtrace  XTRACE_REDUCE='dag -f json'

OUT and the files are on storage that all workers mount; the answer is OUT/answer. Run it again after a failure:
parts that are there are not made again, unless their logs were written to. (A file called dask.py would hide the package.)"""
import hashlib
import os
import secrets
import shlex
import subprocess
import sys
import tempfile

from distributed import Client


def carry_out(words, made, *_after):
    """What -o names appears whole or not at all, so that whoever dies or runs twice does no harm."""
    done = subprocess.run([*words, "-o", made], stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode:
        raise RuntimeError("%s: exit %d: %s" % (shlex.join(words), done.returncode, done.stderr.decode("utf-8", "replace")[-400:]))
    return made


def state_of(path):
    """How long a file is and when it was written to, which stand beside its part: a log may have grown."""
    found = os.stat(path)
    return "%d %d" % (found.st_size, found.st_mtime_ns)


def is_made(path, made, noted):
    """Is there a part, whole, of the log as it is now? Of one that went since, the part is what there is."""
    if not os.path.exists(made) or not os.path.exists(noted):
        return False
    with open(noted) as file:
        state, _, size = file.read().partition("\n")
    return size == str(os.path.getsize(made)) and (not os.path.exists(path) or os.path.isfile(path) and state == state_of(path))


def part_of(words, path, made):
    noted = made + ".of"
    if is_made(path, made, noted):
        return made
    if not os.path.exists(path):
        raise RuntimeError("%s is not there, and no part of it" % path)
    state = state_of(path)
    carry_out(words, made)
    with open(noted, "w") as file:
        file.write("%s\n%d" % (state, os.path.getsize(made)))
    return made


def answer_from(words, made, parts):
    """Of these parts alone: others may lie there from before."""
    lost = [part for part in parts if not os.path.exists(part)]
    if lost:
        raise RuntimeError("%s is gone; run it again" % lost[0])
    with tempfile.TemporaryDirectory(dir=os.path.dirname(made)) as now:
        for part in parts:
            os.symlink(part, os.path.join(now, os.path.basename(part)))
        return carry_out([*words, now], made)


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    out, files = os.path.abspath(sys.argv[1]), sys.argv[2:]
    xtrace, key = os.environ.get("XTRACE", "xtrace"), os.path.join(out, "key")
    os.makedirs(os.path.join(out, "parts"), exist_ok=True)
    if not os.path.exists(key):
        with open(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(32))
    with Client(os.environ.get("DASK_SCHEDULER_ADDRESS")) as client:
        parts = []
        for path in dict.fromkeys(map(os.path.abspath, files)):
            made = os.path.join(out, "parts", hashlib.sha256(path.encode()).hexdigest()[:32] + ".xfacts")
            words = [xtrace, "facts", path, "--key", key, "-j", "1", "-q"]
            # Not pure: Dask must not take an earlier run's part for this one's. A worker that dies loses its tasks.
            parts.append(client.submit(part_of, words, path, made, pure=False, retries=2))
        words = [xtrace, *shlex.split(os.environ.get("XTRACE_REDUCE", "dag -f json"))]
        try:
            print(client.submit(answer_from, words, os.path.join(out, "answer"), parts, pure=False).result())
        except RuntimeError as error:
            print("on_dask.py: %s" % error, file=sys.stderr)
            sys.exit(3)


if __name__ == "__main__":
    main()
