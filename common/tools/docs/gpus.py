"""Makes the page that compares the recorded GPUs: their properties, and which claims of the tutorials hold on each.

A claim is a number that every recorded GPU can confirm or contradict.
"""

import html
import math
import re
from dataclasses import dataclass
from pathlib import Path

from common.tools.docs import results, tables
from common.tools.docs.results import BadQuery, Results

GAIN, LOSS = 1.05, 0.95  # a gain or loss is at least 5%; between them is nearly equal
SEVERAL = 2


@dataclass(frozen=True)
class Claim:
    page: str
    words: str
    number: str  # the deciding number, in words
    query: str  # see results.py
    least: float = -math.inf
    most: float = math.inf
    form: str = ".2f"


def times(slow, fast):
    return f"ladder {slow} force_ms.median / ladder {fast} force_ms.median"


def at(bodies, slow, fast):
    """Returns the query of two steps' times in the sweep over numbers of bodies, which has 4,096 bodies too."""
    return f"bodies {slow} {bodies} force_ms.median / bodies {fast} {bodies} force_ms.median"


CLAIMS = [
    Claim("measuring", "the FMA probe reaches nearly the rate that follows from lanes and clock", "share of that rate",
          "ladder device.fma_share_of_theory", 0.95),
    Claim("measuring", "a time step takes hardly longer than its forces, N = 1,048,576", "time of a time step / of its forces, step 04",
          "ladder 04 1048576 step_ms.median / ladder 04 1048576 force_ms.median", most=1.02, form=".3f"),
    Claim("step_01", "with few bodies the time grows as N: twice 4,096 bodies take about twice as long", "time of 8,192 / 4,096",
          "bodies 01 8192 force_ms.median / bodies 01 4096 force_ms.median", 1.8, 2.4),
    Claim("step_01", "with many bodies the time grows as the square of N: twice 524,288 bodies take four times as long",
          "time of 1,048,576 / 524,288", "bodies 01 1048576 force_ms.median / bodies 01 524288 force_ms.median", 3.6),
    Claim("step_02", "the tile makes the kernel several times as fast at N = 4,096", "time of 01 / 02", at(4096, "01", "02"), SEVERAL),
    Claim("step_02", "the tile gains little at N = 1,048,576", "time of 01 / 02", at(1048576, "01", "02"), 1, 1.2),
    Claim("step_02", "blocks of 128 threads beat blocks of 1,024 at N = 4,096", "rate with 128 / 1,024",
          "block 02 4096 block=128 gflops / block 02 4096 block=1024 gflops", GAIN),
    Claim("step_03", "an iteration of 32 sources saves more than its instructions explain, N = 4,096", "rate with 32 / 1",
          "unroll 03 4096 unroll=32 gflops / unroll 03 4096 unroll=1 gflops", SEVERAL),
    Claim("step_03", "64 sources per iteration beat four, N = 4,096", "rate with 64 / 4",
          "unroll 03 4096 unroll=64 gflops / unroll 03 4096 unroll=4 gflops", GAIN),
    Claim("step_03", "long iterations and two bodies per thread gain, N = 1,048,576", "time of 02 / 03", at(1048576, "02", "03"), GAIN),
    Claim("step_04", "several threads per body are several times as fast as one at N = 4,096", "time of 03 / 04", at(4096, "03", "04"), SEVERAL),
    Claim("step_04", "steps 03 and 04 are nearly equal at N = 1,048,576", "time of 03 / 04", at(1048576, "03", "04"), LOSS, GAIN),
    Claim("step_04", "a body's 32 lanes are several times as fast as one lane at N = 4,096", "rate with 32 / 1",
          "threads 04 4096 threads_per_body=32 gflops / threads 04 4096 threads_per_body=1 gflops", SEVERAL),
    Claim("exercises", "32 threads per body cost time at N = 65,536", "rate with 32 / 1",
          "threads 04 65536 threads_per_body=32 gflops / threads 04 65536 threads_per_body=1 gflops", most=LOSS),
    Claim("step_04", "many short sums have less than a tenth of the error of one long sum, N = 1,048,576", "median error of 04 / 03",
          "ladder 04 1048576 error.median / ladder 03 1048576 error.median", most=0.1, form=".3f"),
    Claim("step_05", "computing each pair once beats the tuned step 04, N = 1,048,576", "time of 04_tuned / 05",
          times("04_tuned 1048576", "05 1048576 equal_masses=ignored"), GAIN),
    Claim("step_05", "with equal masses the rate at 20 FLOP per interaction is above the FMA rate, N = 1,048,576", "share of the FMA rate",
          "ladder 05 1048576 equal_masses=used fma_share", 1),
    Claim("step_05", "with any masses this rate is not above the FMA rate, N = 1,048,576", "share of the FMA rate",
          "ladder 05 1048576 equal_masses=ignored fma_share", most=1),
    Claim("step_05", "step 04 is still faster than step 05 at N = 4,096", "time of 05 / 04", at(4096, "05", "04"), GAIN),
    Claim("maps", "the rectangle beats the corrected lambda if the kernel computes distances, N = 32,768", "improvement of the rectangle / of lambda",
          "maps test=edm map=rectangle 32768 improvement / maps test=edm map=lambda 32768 improvement", GAIN),
    Claim("maps", "lambda is nearly twice as fast as the bounding box if nothing is written, N = 32,768", "time of the box / lambda",
          "maps test=index map=lambda 32768 improvement", 1.9),
    Claim("maps", "the exact map of the tetrahedron loses to the bounding box, N = 1,024", "time of the box / the map",
          "triplets map=tetrahedron 1024 improvement", most=LOSS),
    Claim("maps", "the map of the tetrahedron gains if its cubic root is in FP32, N = 1,024", "time of the box / the map",
          "triplets map=tetrahedron-fp32 1024 improvement", GAIN),
    Claim("step_06", "a tree built on the CPU loses to all pairs at N = 16,384", "time of 06 / 05",
          times("06 16384", "05 16384 equal_masses=ignored"), GAIN),
    Claim("step_06", "a tree built on the CPU beats all pairs at N = 1,048,576", "time of 05 / 06",
          times("05 1048576 equal_masses=ignored", "06 1048576"), GAIN),
    Claim("step_06", "in step 06 the walk takes less than half of the time, because most of it is building, N = 1,048,576", "time of the walk / of all",
          "ladder 06 1048576 parts_ms.fused_walk / ladder 06 1048576 force_ms.median", most=0.5),
    Claim("step_07", "if the tree is built on the GPU, the forces take less than a tenth of the time, N = 262,144", "time of 06 / 07",
          times("06 262144", "07_tuned 262144"), 10, form=".1f"),
    Claim("step_07", "in step 07 the walk takes most of the time, N = 1,048,576", "time of the walk / of all",
          "ladder 07_tuned 1048576 parts_ms.walk / ladder 07_tuned 1048576 force_ms.median", 0.5),
    Claim("step_07", "step 07 takes less time than step 06's walk alone, N = 10,000,000", "time of 07 / of that walk",
          "tree 07_tuned 10000000 theta=0.5 force_ms.median / tree 06_tree_walk 10000000 theta=0.5 leaf=64 parts_ms.fused_walk", most=LOSS),
    Claim("step_09", "on tensor cores the rate with any masses is above the FMA rate, N = 262,144", "share of the FMA rate",
          "ladder 09_tuned 262144 fma_share", 1.2),
    Claim("step_09", "the tensor cores beat step 05, N = 262,144", "time of 05, any masses / 09_tuned",
          times("05 262144 equal_masses=ignored", "09_tuned 262144"), GAIN),
    Claim("step_09", "the tensor cores have smaller errors than a plain FP32 sum, N = 1,048,576", "99th percentile of errors of 03 / 09_tuned",
          "ladder 03 1048576 error.p99 / ladder 09_tuned 1048576 error.p99", 1, form=".0f"),
    Claim("step_09", "step 05 is faster than the tensor cores at N = 16,384", "time of 09_tuned / 05", times("09_tuned 16384", "05 16384 equal_masses=ignored"), GAIN),
    Claim("accuracy", "without quadrupoles a tree changes the energy several times as much, 200 steps of 1/64",
          "change with monopoles / quadrupoles",
          "energy 06 multipole=monopole time_step=0.015625 steps=200 energy_drift"
          " / energy 06 multipole=quadrupole time_step=0.015625 steps=200 energy_drift", SEVERAL, form=".0f"),
    Claim("accuracy", "a tree changes the momentum far more than a direct sum, 200 steps of 1/64", "change with the tree / with the direct sum",
          "energy 06 multipole=quadrupole time_step=0.015625 steps=200 momentum"
          " / energy 04 time_step=0.015625 steps=200 momentum", 100, form=",.0f"),
    Claim("accuracy", "step 03 takes several times as long in FP64, N = 262,144", "time of 03 in FP64 / FP32",
          "fp64 table 03_unrolled 262144 slowdown", SEVERAL),
    Claim("accuracy", "compensated sums make the median error several times smaller, N = 262,144", "error of plain / compensated sums",
          "mixed 262144 positions=fp32 sums=plain error.median / mixed 262144 positions=fp32 sums=compensated error.median",
          SEVERAL, form=".0f"),
    Claim("accuracy", "positions as pairs of numbers lower the largest error, N = 262,144", "largest error of FP32 / pairs",
          "mixed 262144 positions=fp32 sums=compensated error.max / mixed 262144 positions=pairs sums=compensated error.max",
          GAIN, form=".1f"),
    Claim("profiling", "step 03 stays below nine tenths of its issue ceiling, N = 262,144", "share of the issue ceiling",
          "ladder 03 262144 predicted_share", most=0.9),
    Claim("profiling", "multiply-adds of three registers, in the worst order, cannot issue in every cycle", "instructions per cycle",
          "issue loop=operandLoop<3,16> issue_rate", most=0.9, form=".3f"),
    Claim("profiling", "multiply-adds of two registers nearly can issue in every cycle", "instructions per cycle",
          "issue loop=operandLoop<2,0> issue_rate", 0.95, form=".3f"),
    Claim("profiling", "a product instead of the square root changes little", "rate with the product / with the square root",
          "issue loop=forceLoop<1,2> issue_rate / issue loop=forceLoop<0,2> issue_rate", LOSS, GAIN),
]

FACTS = [  # name, query, format
    ("multiprocessors", "ladder device.multiprocessors", "d"),
    ("compute capability", "ladder device.compute_capability", ""),
    ("clock under multiply-adds, GHz", "ladder device.fma_clock_ghz", ".2f"),
    ("multiply-adds measured, TFLOP/s", "ladder device.fma_tflops", ".1f"),
    ("L2 measured, GB/s", "roofline memory=l2 gb_per_s", ",.0f"),
    ("DRAM measured, GB/s", "roofline memory=dram gb_per_s", ",.0f"),
    ("all pairs of 16,384 bodies on one thread of its CPU, ms", "ladder serial 16384 force_ms.median", ".0f"),
    ("the tree of 1,048,576 bodies on its CPU, ms", "ladder 06 1048576 parts_ms.build", ".0f"),
]


def devices():
    """Returns the results of each GPU on which the ladder was measured."""
    return [Results(path.parent) for path in sorted(results.RESULTS.glob("*/ladder.json"))]


def name_of(recorded):
    """Returns H100 for "NVIDIA H100 80GB HBM3"."""
    name = recorded.document("ladder")["device"]["name"].replace("NVIDIA ", "", 1)
    return re.sub(r" \d+GB HBM\w+$", "", name)


def number(recorded, query, show):
    """Returns a query's number, formatted with show()."""
    try:
        return show(recorded.number(query))
    except BadQuery:
        return "not recorded"


def verdict(claim, recorded):
    return number(recorded, claim.query, lambda value: f"{'holds' if claim.least <= value <= claim.most else 'does not'} "
                                                       f"({format(value, claim.form)})")


def bound(claim):
    """Returns the bound that the number must keep."""
    low = "" if claim.least == -math.inf else f"{claim.least:.3g}"
    high = "" if claim.most == math.inf else f"{claim.most:.3g}"
    return f"{low} to {high}" if low and high else f"≥ {low}" if low else f"≤ {high}"


def facts(_):
    """Returns facts about the GPUs: a row per fact, a column per GPU."""
    columns = devices()
    return tables.table(["", *map(name_of, columns)],
                        [[html.escape(words), *(number(each, query, lambda value, form=form: format(value, form)) for each in columns)]
                         for words, query, form in FACTS])


def stamp(columns):
    """Returns the commits at which the claims' numbers were measured."""
    names = {f"{claim.query.split()[0]}.json" for claim in CLAIMS}
    commits = [sorted({each.document(Path(name).stem)["suite"]["commit"] for name in names if each.at(name).exists()}) for each in columns]
    return "; ".join(f"{name_of(each)}: commits {', '.join(shown)}" for each, shown in zip(columns, commits))


def claims(_):
    """Returns a row per claim and a column per GPU."""
    columns = devices()
    rows = [[f'<a href="{claim.page}.html">{html.escape(claim.page.replace("step_", ""))}</a>: {html.escape(claim.words)}',
             *(verdict(claim, each) for each in columns), claim.number, bound(claim)] for claim in CLAIMS]
    return tables.table(["claim", *map(name_of, columns), "the number in brackets", "must be"], rows, stamp(columns),
                        range(1, 1 + len(columns)))


TABLES = {"gpus": facts, "claims": claims}
