"""Random kernels with __activemask() and coalesced_threads() in nested branches, loops and helpers, against a model that runs
all lanes of a warp in lockstep. As on a GPU, lanes meet again where a branch or a loop ends. The executor must give each call
the model's lanes, in every order and with every optimisation. The arguments are a build folder and the number of kernels.
"""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

from common.tests.tools.case import HANG, InFolder

BUILD, KERNELS = Path(sys.argv.pop(1)).resolve(), int(sys.argv.pop(1))
HELPERS, THREADS, ENTRIES = 2, 40, 200
START = f"""#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
struct Log {{ unsigned* at; int count; }};
__device__ int drawn(int call, int lane, int v, int n) {{
  unsigned h = call * 73856093u ^ lane * 19349663u ^ v * 83492791u;
  return ((h ^ h >> 15) * 2654435761u >> 16 & 0x7fff) % n;
}}
__device__ int note(Log& log, int call, unsigned lanes) {{
  if (log.count < {2 * ENTRIES}) log.at[log.count++] = call, log.at[log.count++] = lanes;
  return call;
}}
__device__ unsigned lanesOf(const cg::coalesced_group& g) {{
  unsigned lanes = 0;
  for (unsigned r = 0; r < g.size(); ++r) lanes |= 1u << g.shfl(threadIdx.x % 32, r);
  return lanes;
}}
#define BOTH(a, b) {{ a; b; }}
"""


def drawn(call, lane, v, n):
    h = (call * 73856093 ^ lane * 19349663 ^ v * 83492791) & 0xffffffff
    return (((h ^ h >> 15) * 2654435761 & 0xffffffff) >> 16 & 0x7fff) % n


class Full(Exception):
    """A kernel that takes too long for a test."""


class Writer:
    """Makes random statements: nested tuples, and their text."""

    def __init__(self, rand):
        self.rand, self.number = rand, 0

    def next(self):
        self.number += 1
        return self.number

    def block(self, depth, helpers, in_loop):
        return [self.statement(depth, helpers, in_loop) for _ in range(self.rand.randint(1, 3))]

    def statement(self, depth, helpers, in_loop):
        kinds = ["vote", "vote", "two", "step"]
        kinds += ["return"] if self.rand.random() < 0.2 else []
        kinds += ["call", "choose", "and"] if helpers else []
        kinds += ["break", "continue"] if in_loop else []
        kinds += ["if", "if", "else", "else", "for", "while", "do", "switch", "again"] if depth else []
        kind = self.rand.choice(kinds)
        n = self.next()

        def inner(loop=in_loop):
            return self.block(depth - 1, helpers, loop)

        if kind in ("if", "while", "do", "for", "again"):
            return kind, n, self.rand.randint(2, 4), inner(kind in ("while", "do", "for") or in_loop and kind == "if")
        if kind in ("else", "switch"):
            return kind, n, self.rand.randint(2, 4), inner(in_loop and kind == "else"), inner(in_loop and kind == "else")
        if kind in ("call", "choose", "and"):
            return kind, n, self.rand.randint(2, 4), self.rand.choice(helpers), self.rand.choice(helpers)
        return kind, n, self.rand.randint(2, 4)


def draw(n, most):
    return f"drawn({n}, lane, v, {most})"


def active(n):
    return f"note(log, {n}, __activemask())" if n % 3 else f"note(log, {n}, lanesOf(cg::coalesced_threads()))"


def text(statement):
    kind, n, most, *rest = statement
    if kind == "vote":
        return f"{active(n)};"
    if kind == "two":
        return f"BOTH({active(n)}, {active(n + 1000)})"
    if kind == "step":
        return f"v += {draw(n, most)};"
    if kind == "return":
        return f"if ({draw(n, most)} == 0) return v;"
    if kind in ("break", "continue"):
        return f"if ({draw(n, most)} == 0) {kind};"
    if kind == "call":
        return f"v += helper{rest[0]}(log, lane, v);"
    if kind == "choose":
        return f"v += {draw(n, most)} ? helper{rest[0]}(log, lane, v) : helper{rest[1]}(log, lane, v);"
    if kind == "and":
        return f"if ({draw(n, most)} && helper{rest[0]}(log, lane, v) % 2 || helper{rest[1]}(log, lane, v) % 3) {active(n)};"
    body = " ".join(map(text, rest[0]))
    one = f"{{ {body} }}" if len(rest[0]) > 1 or n % 2 else body
    if kind == "if":
        return f"if ({draw(n, most)}) {{ {body} }}"
    if kind == "else":
        return f"if ({draw(n, most)}) {{ {body} }} else {{ {' '.join(map(text, rest[1]))} }}"
    if kind == "for":
        return f"for (int i = 0; i < {draw(n, most)}; ++i, ++v) {one}"
    if kind == "while":
        return f"{{ int i{n} = 0; while ({active(n)} && i{n}++ < {draw(n, most)}) {one} }}"
    if kind == "do":
        return f"{{ int i{n} = 0; do {one} while (i{n}++ < {draw(n, most)}); }}"
    if kind == "again":
        return f"{{ int i{n} = 0; again{n}: v += 1; {body} if (i{n}++ < {draw(n, most)}) goto again{n}; }}"
    last = " ".join(map(text, rest[1]))
    return f"switch ({draw(n, most)}) {{ case 0: {body} case 1: {last} break; default: {active(n)}; }}"


class Lockstep:
    """Runs statements for all lanes of a warp: each returns the lanes that reach its end."""

    def __init__(self, helpers, lanes, first):
        self.helpers, self.lanes, self.first = helpers, lanes, first
        self.v = [0] * lanes
        self.logs = [[] for _ in range(lanes)]
        self.calls = []  # innermost last: lanes that have returned from it
        self.work = 0

    def vote(self, n, lanes):
        self.work += 1
        if self.work > 2000:
            raise Full
        for lane in lanes:
            if len(self.logs[lane]) >= ENTRIES - 2:
                raise Full
            self.logs[lane].append((n, sum(1 << other for other in lanes)))

    def draws(self, n, most, lanes):
        return {lane: drawn(n, self.first + lane, self.v[lane], most) for lane in lanes}

    def block(self, statements, lanes, loop):
        for statement in statements:
            if lanes:
                lanes = self.run(statement, lanes, loop)
        return lanes

    def call(self, helper, lanes):
        """Returns the results; the caller's variable v stays."""
        if not lanes:
            return {}
        before = {lane: self.v[lane] for lane in lanes}
        self.calls.append({})
        ended = self.block(self.helpers[helper], lanes, None)
        results = {**self.calls.pop(), **{lane: self.v[lane] & 1023 for lane in ended}}
        for lane in lanes:
            self.v[lane] = before[lane]
        return results

    def loop(self, statement, lanes):
        kind, n, most, body = statement
        counts, left = dict.fromkeys(lanes, 0), frozenset()
        first = True
        while lanes:
            if not (first and kind in ("do", "again")):
                if kind == "while":
                    self.vote(n, lanes)
                drawn_now = self.draws(n, most, lanes)
                going = frozenset(lane for lane in lanes if counts[lane] < drawn_now[lane])
                for lane in lanes if kind != "for" else ():
                    counts[lane] += 1
                left |= lanes - going
                lanes = going
                if not lanes:
                    break
            first = False
            leaving = {"break": frozenset(), "continue": frozenset()}
            if kind == "again":
                for lane in lanes:
                    self.v[lane] += 1
            lanes = self.block(body, lanes, leaving) | leaving["continue"]
            left |= leaving["break"]
            for lane in lanes if kind == "for" else ():
                counts[lane] += 1
                self.v[lane] += 1
        return left

    def run(self, statement, lanes, loop):
        kind, n, most, *rest = statement
        if kind in ("vote", "two"):
            self.vote(n, lanes)
            if kind == "two":
                self.vote(n + 1000, lanes)
            return lanes
        if kind in ("while", "do", "for", "again"):
            return self.loop(statement, lanes)
        draws = {} if kind == "call" else self.draws(n, most, lanes)
        true = frozenset(lane for lane in lanes if draws.get(lane))
        false = lanes - true
        if kind == "step":
            for lane in lanes:
                self.v[lane] += draws[lane]
        elif kind == "return":
            self.calls[-1].update({lane: self.v[lane] for lane in false})
            return true
        elif kind in ("break", "continue"):
            loop[kind] |= false
            return true
        elif kind == "call":
            for lane, result in self.call(rest[0], lanes).items():
                self.v[lane] += result
        elif kind == "choose":
            for lane, result in {**self.call(rest[0], true), **self.call(rest[1], false)}.items():
                self.v[lane] += result
        elif kind == "and":
            odd = frozenset(lane for lane, result in self.call(rest[0], true).items() if result % 2)
            third = frozenset(lane for lane, result in self.call(rest[1], lanes - odd).items() if result % 3)
            if odd | third:
                self.vote(n, odd | third)
        elif kind == "if":
            return self.block(rest[0], true, loop) | false
        elif kind == "else":
            return self.block(rest[0], true, loop) | self.block(rest[1], false, loop)
        elif kind == "switch":
            zero, one, other = (frozenset(lane for lane in lanes if test(draws[lane]))
                                for test in (lambda x: x == 0, lambda x: x == 1, lambda x: x > 1))
            one |= self.block(rest[0], zero, loop)
            ended = self.block(rest[1], one, loop)
            if other:
                self.vote(n, other)
            return ended | other
        return lanes


def model(helpers, body):
    """Returns the entries of each thread."""
    logs = []
    for first in range(0, THREADS, 32):
        count = min(32, THREADS - first)
        warp = Lockstep(helpers, count, first)
        warp.calls.append({})
        warp.block(body, frozenset(range(count)), None)
        logs += warp.logs
    return logs


def function(head, body, end, one_line):
    joint = " " if one_line else "\n  "
    return joint.join([head, *map(text, body), end]) + "\n"


def make_program():
    """Returns a program of many kernels, and the entries that the model gives for each."""
    source, expected = START, []
    seed = 0
    while len(expected) < KERNELS:
        seed += 1
        writer = Writer(random.Random(seed))
        helpers = {}
        for k in range(HELPERS):
            helpers[k] = writer.block(2, list(helpers), False)
        body = writer.block(3, list(helpers), False)
        if writer.number > 45:
            continue
        try:
            logs = model(helpers, body)
        except Full:
            continue
        if len({lanes for log in logs for _, lanes in log}) < 4:
            continue
        k = len(expected)
        expected.append(logs)
        parts = f"namespace n{k} {{\n"
        for i, statements in helpers.items():
            inline = random.Random(seed + i).choice(["", "__noinline__ ", "__forceinline__ "])
            parts += function(f"{inline}__device__ int helper{i}(Log& log, int lane, int v) {{", statements, "return v & 1023; }",
                              k % 2)
        parts += function("__device__ int all(Log& log, int lane, int v) {", body, "return v; }", k % 2)
        parts += f"__global__ void kernel(unsigned* out) {{ Log log = {{out + threadIdx.x * {2 * ENTRIES}, 0}}; " \
                 "all(log, threadIdx.x, 0); }\n}\n"
        source += parts
    run = "".join(f"run(n{k}::kernel);\n" for k in range(KERNELS))
    return source + f"""
template <class Kernel> void run(Kernel* kernel) {{
  const int size = {THREADS} * {2 * ENTRIES};
  unsigned* out = nullptr;
  cudaMalloc(&out, size * sizeof *out);
  cudaMemset(out, 0, size * sizeof *out);
  kernel<<<1, {THREADS}>>>(out);
  static unsigned host[size];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  for (int t = 0; t < {THREADS}; ++t) {{
    for (unsigned* at = host + t * {2 * ENTRIES}; *at != 0; at += 2) printf("%u %x ", at[0], at[1]);
    printf("\\n");
  }}
}}
int main() {{ {run} }}
""", expected


class Lanes(InFolder):
    maxDiff = None

    def check(self, *options):
        source, expected = make_program()
        program = self.folder / "lanes"
        self.output_of(BUILD / "ladder-nvcc", *options, "-o", program, self.write("lanes.cu", source))
        for order in ("forward", "reverse", "random:1"):
            ran = subprocess.run([program], capture_output=True, text=True, timeout=HANG,
                                 env={**os.environ, "NBODY_EXECUTOR_ORDER": order})
            lines = self.expect_success(ran).splitlines()
            for k, logs in enumerate(expected):
                for thread, log in enumerate(logs):
                    want = " ".join(f"{n} {lanes:x}" for n, lanes in log)
                    got = lines[k * THREADS + thread].strip()
                    self.assertEqual(got, want, f"thread {thread} in order {order} of " + re.findall(
                        rf"(?s)namespace n{k} .*?\n}}\n", source)[0])

    def test_checked(self):
        self.check("--check")

    def test_plain(self):
        self.check("--plain", "-O3")
