"""Random graphs of flags between warps of several blocks, which wait for flags in loops and set others, against a model. If all
flags can be set, the kernel must end; otherwise the executor must report it with the line of each loop in which a warp waits.
The arguments are a build folder and the number of graphs.
"""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

from common.tests.tools.case import HANG, InFolder

BUILD, CASES = Path(sys.argv.pop(1)).resolve(), int(sys.argv.pop(1))
SET, WAIT, NOTHING = 0, 1, 2
# The loops, each on its own line; those on volatile variables last.
LOOPS = ("while (atomicAdd(flag, 0) == 0) {}", "while (atomicCAS(flag, 0, 0) == 0) __nanosleep(20);",
         "while (cuda::atomic_ref<int>(*flag).load() == 0);", "for (unsigned n = 8; atomicMax(flag, 0) == 0; n += n < 64) __nanosleep(n);",
         "while (*(volatile int*)flag == 0);", "{ volatile int* v = flag; int seen; do { seen = *v; } while (seen == 0); }")
ATOMIC = 4
SOURCE = """#include <cuda/atomic>
#include <cstdio>
#include <cstdlib>
__global__ void run(const int* steps, int* flags, int count) {
  if (threadIdx.x % 32 != 0) return;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (const int* step = steps + warp * count * 3; step != steps + (warp + 1) * count * 3; step += 3) {
    int* flag = flags + step[1];
    if (step[0] == SET) atomicExch(flag, 1);
    if (step[0] != WAIT) continue;
    switch (step[2]) {
LOOPS
    }
  }
}
int main(int count, char** words) {
  const int blocks = atoi(words[1]), warps = atoi(words[2]), all = count - 3;
  int *steps, *flags, *host = new int[all];
  for (int i = 0; i < all; ++i) host[i] = atoi(words[3 + i]);
  cudaMalloc(&steps, all * sizeof(int));
  cudaMalloc(&flags, 64 * sizeof(int));
  cudaMemset(flags, 0, 64 * sizeof(int));
  cudaMemcpy(steps, host, all * sizeof(int), cudaMemcpyHostToDevice);
  run<<<blocks, 32 * warps>>>(steps, flags, all / 3 / blocks / warps);
  puts(cudaDeviceSynchronize() == cudaSuccess ? "ended" : "failed");
  cudaFree(steps);
  cudaFree(flags);
  delete[] host;
}
""".replace("SET", str(SET)).replace("WAIT", str(WAIT)).replace(
    "LOOPS", "\n".join(f"case {i}: {loop} break;" for i, loop in enumerate(LOOPS)))
FIRST_LINE = SOURCE[:SOURCE.index("case 0")].count("\n") + 1


def make_case(seed, loops):
    """Returns blocks, warps of each, and the steps of every warp."""
    rand = random.Random(seed)
    blocks, warps, count = rand.randint(2, 4), rand.randint(1, 2), rand.randint(1, 5)
    steps = [[(rand.randint(SET, WAIT), rand.randrange(8), rand.randrange(loops)) for _ in range(count)]
             for _ in range(blocks * warps)]
    for flag in range(8) if seed % 4 else ():  # most cases can end
        steps[rand.randrange(len(steps))].insert(0, (SET, flag, 0))
    most = max(map(len, steps))
    steps = [own + [(NOTHING, 0, 0)] * (most - len(own)) for own in steps]
    return blocks, warps, steps


def waiting(steps):
    """Returns the step at which each warp waits for ever; None if it ends."""
    flags, at = set(), [0] * len(steps)
    moved = True
    while moved:
        moved = False
        for warp, own in enumerate(steps):
            while at[warp] < len(own) and (own[at[warp]][0] == SET or own[at[warp]][0] == NOTHING
                                            or own[at[warp]][1] in flags):
                if own[at[warp]][0] == SET:
                    flags.add(own[at[warp]][1])
                at[warp] += 1
                moved = True
    return [own[k] if k < len(own) else None for own, k in zip(steps, at)]


class Waits(InFolder):
    def check(self, mode, loops):
        program = self.folder / "waits"
        self.output_of(BUILD / "ladder-nvcc", mode, "-o", program, self.write("waits.cu", SOURCE))
        stuck = 0
        for seed in range(CASES):
            blocks, warps, steps = make_case(seed, loops)
            expected = waiting(steps)
            stuck += any(expected)
            words = [str(x) for own in steps for step in own for x in step]
            ran = subprocess.run([program, str(blocks), str(warps), *words], capture_output=True, text=True, timeout=HANG,
                                 env={**os.environ, "NBODY_EXECUTOR_PATIENCE": "1",
                                      "NBODY_EXECUTOR_ORDER": ("forward", "reverse", "random:3")[seed % 3]})
            with self.subTest(seed=seed, steps=steps):
                self.assertEqual(ran.stdout, "failed\n" if any(expected) else "ended\n", ran.stderr)
                if not any(expected):
                    self.assertEqual(ran.stderr, "")
                    continue
                block = int(re.search(r"waits for ever: no thread of block \((\d)", ran.stderr)[1])
                own = expected[block * warps:(block + 1) * warps]
                lines = {FIRST_LINE + step[2] for step in own if step}
                self.assertEqual({int(line) for line in re.findall(r"in a loop at \S*waits.cu:(\d+)", ran.stderr)}, lines)
        self.assertGreater(stuck, CASES // 10)
        self.assertLess(stuck, CASES // 2)

    def test_checked(self):
        self.check("--check", ATOMIC)

    def test_plain(self):
        self.check("--plain", len(LOOPS))
