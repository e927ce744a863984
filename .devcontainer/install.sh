#!/bin/sh
# Installs what `./run` needs into a new container: install.sh KIND..., with the kinds of common/tools/packages.py.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update
# Also installs what the tests of ranks, figures and isolated submissions need.
apt-get install -y --no-install-recommends bubblewrap ca-certificates ccache git libopenmpi-dev openmpi-bin procps python3 \
  python3-matplotlib python3-seccomp
python3 -B "$(dirname "$0")/common/tools" tools.packages "$@"
rm -rf /suite /var/lib/apt/lists/*
