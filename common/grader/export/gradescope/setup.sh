#!/usr/bin/env bash
# Gradescope runs this once, as root, to make the image. It installs what the grader needs, builds it, and grades the
# solution, so that an image that cannot grade fails here. Grading a submission then takes seconds.
# task.sh sets task, submission_user, NBODY_COMMIT.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
suite=$here/suite
. "$here/task.sh"

fail() {
  echo "setup.sh: $1" >&2
  exit 1
}

[ "$(id -u)" -eq 0 ] || fail "run it as root"
image="choose Ubuntu 22.04 or newer as the base image, or one that has CMake 3.22 or newer (Manual Docker)"
command -v apt-get >/dev/null || fail "this image has no apt-get: $image"
export DEBIAN_FRONTEND=noninteractive
apt-get update
cmake=$({ cmake --version 2>/dev/null || true; } | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
[ -n "$cmake" ] || cmake=$(apt-cache policy cmake | sed -n 's/^ *Candidate: //p')
dpkg --compare-versions "$cmake" ge 3.22 ||
  fail "CMake $cmake of this image is too old, 3.22 or newer is needed: $image"

# ./run installs the compiler and the libraries.
apt-get install -y --no-install-recommends bubblewrap passwd python3 python3-seccomp
# User of the submissions if bubblewrap does not work, as in most containers.
id "$submission_user" >/dev/null 2>&1 ||
  useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$submission_user"

solution=$(mktemp -d)
trap 'rm -rf "$solution"' EXIT
python3 -B "$suite/common/tools" tools.exercises.course_solution "$task" "$solution"
"$suite/run" grade "$task" "$solution" --preset cpu --trust --json "$solution/result.json"
score=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["score"])' "$solution/result.json")
[ "$score" = 100 ] || fail "the solution scores $score of 100 on this image: nothing can be graded here"

# That user may read headers and libraries, but no solutions.
chmod -R u=rwX,go=rX "$here"
chmod 700 "$suite"/[0-9][0-9]_* "$suite"/common/tests "$suite"/build/*/[0-9][0-9]_*
[ ! -e "$suite/docs" ] || chmod 700 "$suite/docs"
rm -rf /var/lib/apt/lists/*
