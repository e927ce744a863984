#!/bin/sh
# Installs, in a container that is being made, what `./run` would: install.sh KIND..., as common/tools/packages.py has them.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update
# Beside it what the tests of ranks, figures and isolated submissions need.
apt-get install -y --no-install-recommends bubblewrap ca-certificates ccache git libopenmpi-dev openmpi-bin procps python3 \
  python3-matplotlib python3-seccomp
python3 -B "$(dirname "$0")/common/tools" tools.packages "$@"
rm -rf /suite /var/lib/apt/lists/*
