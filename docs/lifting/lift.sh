#!/usr/bin/env bash
# Compiles lift.cu with the forces of a step: lift.sh 10_fast_multipole [OPTION OF NVCC...]
set -euo pipefail
cd "$(dirname "$0")/../.."
step=${1:-}
[ -f "$step/forces.cu" ] || { echo "lift.sh: name a step's folder, for example 10_fast_multipole, then nvcc's options" >&2; exit 2; }
command -v nvcc >/dev/null || { echo "lift.sh: nvcc is missing: put the CUDA toolkit's bin folder on PATH" >&2; exit 2; }
case $step in
  04_* | 07_* | 09_* | 10_*) forces=tuned ;;
  *) forces=forces ;;
esac
namespace=$(sed -n 's/^namespace .*NBODY_PRECISION::\(.*\) {$/\1/p' "$step/$forces.cu")
nvcc -std=c++20 -O3 -ftz=true -DNBODY_GPU -DNBODY_STEP_NAMESPACE="$namespace" -I common -I . -I "$step" docs/lifting/lift.cu "$step/$forces.cu" \
  common/cuda/{check,device_array}.cpp common/driver/step_options.cpp common/measure/timing.cpp "${@:2}"
