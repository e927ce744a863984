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


CLAIMS = [
    Claim("measuring", "the FMA probe reaches nearly all that lanes and clock give", "share of their rate",
          "ladder device.fma_share_of_theory", 0.95),
    Claim("measuring", "a step of the leapfrog costs hardly more than its forces, N = 1,048,576", "time of a step / of the forces, 04",
          "ladder 04 1048576 step_ms.median / ladder 04 1048576 force_ms.median", most=1.02, form=".3f"),
    Claim("step_01", "too few warps to cover the waiting: at N = 16,384 less than a fifth of what the instructions allow",
          "share of that rate", "ladder 01 16384 predicted_share", most=0.2),
    Claim("step_02", "at N = 262,144 the tile gains little", "time of 01 / 02", times("01 262144", "02 262144"), 1, 1.2),
    Claim("step_02", "at N = 16,384 it gains several times", "time of 01 / 02", times("01 16384", "02 16384"), SEVERAL),
    Claim("step_02", "at N = 16,384 blocks of 128 beat blocks of 1,024", "rate with 128 / 1,024",
          "block 02 16384 block=128 gflops / block 02 16384 block=1024 gflops", GAIN),
    Claim("step_03", "long iterations and two bodies a thread gain over the tile, N = 262,144", "time of 02 / 03",
          times("02 262144", "03 262144"), GAIN),
    Claim("step_03", "64 sources in an iteration beat four, N = 16,384", "rate with 64 / 4",
          "unroll 03 16384 unroll=64 gflops / unroll 03 16384 unroll=4 gflops", GAIN),
    Claim("step_04", "shared rows gain at N = 16,384", "time of 03 / 04", times("03 16384", "04 16384"), GAIN),
    Claim("step_04", "at N = 262,144 steps 03 and 04 are nearly equal", "time of 03 / 04", times("03 262144", "04 262144"), LOSS, GAIN),
    Claim("step_04", "at N = 1,024 32 threads a body are several times as fast as one", "rate with 32 / 1",
          "threads 04 1024 threads_per_body=32 gflops / threads 04 1024 threads_per_body=1 gflops", SEVERAL),
    Claim("step_04", "at N = 65,536 32 threads a body cost time", "rate with 32 / 1",
          "threads 04 65536 threads_per_body=32 gflops / threads 04 65536 threads_per_body=1 gflops", most=LOSS),
    Claim("step_04", "many short sums err less than a tenth of a long one, N = 262,144", "median error of 04 / 03",
          "ladder 04 262144 error.median / ladder 03 262144 error.median", most=0.1, form=".3f"),
    Claim("step_05", "each pair once beats the tuned step 04, N = 262,144", "time of 04_tuned / 05",
          times("04_tuned 262144", "05 262144 equal_masses=ignored"), GAIN),
    Claim("step_05", "with equal masses the credited rate is above that of the FMA units, N = 262,144", "share of their rate",
          "ladder 05 262144 equal_masses=used fma_share", 1),
    Claim("step_05", "with masses in the loop the credited rate is not above it, N = 262,144", "share of their rate",
          "ladder 05 262144 equal_masses=ignored fma_share", most=1),
    Claim("step_05", "at N = 4,096 step 04 is still faster", "time of 05 / 04",
          "bodies 05 4096 force_ms.median / bodies 04 4096 force_ms.median", GAIN),
    Claim("step_05", "the map by the rectangle leads that by lambda in distances, N = 32,768", "improvement of rectangle / lambda",
          "maps test=edm map=rectangle 32768 improvement / maps test=edm map=lambda 32768 improvement", GAIN),
    Claim("step_05", "lambda comes near to 2 where nothing is written, N = 32,768", "time of the box / lambda",
          "maps test=index map=lambda 32768 improvement", 1.9),
    Claim("step_05", "the exact map of a tetrahedron loses to the box, N = 1,024", "time of the box / the map",
          "triplets map=tetrahedron 1024 improvement", most=LOSS),
    Claim("step_05", "with its root in FP32 it gains", "time of the box / the map",
          "triplets map=tetrahedron-fp32 1024 improvement", GAIN),
    Claim("papers", "in the dummy kernel exact UTM loses, N = 32,768", "time of the box / the map",
          "maps test=dummy map=utm-exact 32768 improvement", most=LOSS),
    Claim("step_06", "a tree built on the host loses to all pairs at N = 16,384", "time of 06, host's too / 05",
          times("06 16384", "05 16384 equal_masses=ignored"), GAIN),
    Claim("step_06", "a tree built on the host wins over all pairs at N = 1,048,576", "time of 05 / 06, host's too",
          times("05 1048576 equal_masses=ignored", "06 1048576"), GAIN),
    Claim("step_06", "at N = 1,048,576 the walk takes less than half of its time: most is building", "time of the walk / of all",
          "ladder 06 1048576 parts_ms.fused_walk / ladder 06 1048576 force_ms.median", most=0.5),
    Claim("step_07", "built on the device the tree is over ten times as fast, N = 262,144", "time of 06, host's too / 07",
          times("06 262144", "07_tuned 262144"), 10, form=".1f"),
    Claim("step_07", "its walk takes most of the time, N = 1,048,576", "time of the walk / of all",
          "ladder 07_tuned 1048576 parts_ms.walk / ladder 07_tuned 1048576 force_ms.median", 0.5),
    Claim("step_07", "all of it takes less than step 06's walk alone, N = 10,000,000", "time of 07 / of that walk",
          "tree 07_tuned 10000000 theta=0.5 force_ms.median / tree 06_tree_walk 10000000 theta=0.5 leaf=64 parts_ms.fused_walk", most=LOSS),
    Claim("step_09", "on tensor cores the credited rate of any masses is above that of the FMA units, N = 262,144", "share of their rate",
          "ladder 09_tuned 262144 fma_share", 1.2),
    Claim("step_09", "it beats each pair once, N = 262,144", "time of 05, any masses / 09_tuned",
          times("05 262144 equal_masses=ignored", "09_tuned 262144"), GAIN),
    Claim("step_09", "it errs less than a plain FP32 sum, N = 1,048,576", "99th percentile of errors of 03 / 09_tuned",
          "ladder 03 1048576 error.p99 / ladder 09_tuned 1048576 error.p99", 1, form=".0f"),
    Claim("step_09", "at N = 16,384 step 05 is faster", "time of 09_tuned / 05", times("09_tuned 16384", "05 16384 equal_masses=ignored"), GAIN),
    Claim("accuracy", "a tree of monopoles changes the energy several times as much as one of quadrupoles, 200 steps of 1/64",
          "change with monopoles / quadrupoles",
          "energy 06 multipole=monopole time_step=0.015625 steps=200 energy_drift"
          " / energy 06 multipole=quadrupole time_step=0.015625 steps=200 energy_drift", SEVERAL, form=".0f"),
    Claim("accuracy", "momentum tells a tree from a direct sum, 200 steps of 1/64", "momentum by the tree / by all pairs",
          "energy 06 multipole=quadrupole time_step=0.015625 steps=200 momentum"
          " / energy 04 time_step=0.015625 steps=200 momentum", 100, form=",.0f"),
    Claim("accuracy", "FP64 at half the rate takes several times as long, N = 262,144", "time of 03 in FP64 / FP32",
          "fp64 table 03_unrolled 262144 slowdown", SEVERAL),
    Claim("accuracy", "compensated sums lower the median error several times, N = 262,144", "error of plain / compensated sums",
          "mixed 262144 positions=fp32 sums=plain error.median / mixed 262144 positions=fp32 sums=compensated error.median",
          SEVERAL, form=".0f"),
    Claim("accuracy", "pairs for positions lower the largest error, N = 262,144", "largest error of FP32 / pairs",
          "mixed 262144 positions=fp32 sums=compensated error.max / mixed 262144 positions=pairs sums=compensated error.max",
          GAIN, form=".1f"),
    Claim("profiling", "at N = 262,144 step 03 stays below nine tenths of what its instructions allow", "share of that rate",
          "ladder 03 262144 predicted_share", most=0.9),
    Claim("profiling", "multiply-adds of three registers, in the worst order, cannot issue in every cycle", "instructions a cycle",
          "issue loop=operandLoop<3,16> issue_rate", most=0.9, form=".3f"),
    Claim("profiling", "multiply-adds of two registers nearly can", "instructions a cycle",
          "issue loop=operandLoop<2,0> issue_rate", 0.95, form=".3f"),
    Claim("profiling", "a product in the place of the root changes little", "instructions a cycle with the product / the root",
          "issue loop=forceLoop<1,2> issue_rate / issue loop=forceLoop<0,2> issue_rate", LOSS, GAIN),
]

FACTS = [  # name, query, format
    ("multiprocessors", "ladder device.multiprocessors", "d"),
    ("compute capability", "ladder device.compute_capability", ""),
    ("clock under multiply-adds, GHz", "ladder device.fma_clock_ghz", ".2f"),
    ("multiply-adds measured, TFLOP/s", "ladder device.fma_tflops", ".1f"),
    ("L2 measured, GB/s", "roofline memory=l2 gb_per_s", ",.0f"),
    ("DRAM measured, GB/s", "roofline memory=dram gb_per_s", ",.0f"),
    ("its host: all pairs of 16,384 bodies, one thread, ms", "ladder serial 16384 force_ms.median", ".0f"),
    ("its host: the tree of 1,048,576 bodies, ms", "ladder 06 1048576 parts_ms.build", ".0f"),
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
    return tables.table(["claim", *map(name_of, columns), "the number", "must be"], rows, stamp(columns),
                        range(1, 1 + len(columns)))


TABLES = {"gpus": facts, "claims": claims}
