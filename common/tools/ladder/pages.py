"""Writes a device's recorded results into README.md and docs/results.md, each part between two marks."""

import json
import re

from common.base.command_line import ROOT
from common.tools import markdown
from common.tools.ladder import table
from common.tools.ladder.acts import ACTS, FEW, MANY, Acts, example, times
from common.tools.ladder.recorded import FLOP
from common.tools.ladder.table import COLUMNS, INSTRUCTION_COLUMNS, cells, instruction_cells, shown, three_digits
from common.tools.programs import grouped

README = ROOT / "README.md"
RESULTS = ROOT / "docs" / "results.md"
LADDER = "./run ladder --record"  # the command that writes a part
LIMITS = ROOT / "docs" / "results" / "limits.json"  # not of one GPU, but from machine code for each
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
WIDE = 30  # letters of a cell that stay in one line
SITE_BODIES = 262144  # bodies in the table of the site's page on measuring, if they were recorded
FRONT_COLUMNS = ["step", f"{FEW:,} bodies: ms", "times as fast", f"{MANY:,} bodies: ms", "times as fast", "its idea"]
SITE_COLUMNS = ["step", "time ms", "GFLOP/s", "% FMA", "executed GFLOP/s", "error median"]
ERROR = "Error: |a - a_FP64| / |a_FP64| over a sample of bodies."
TREES = ("host_tree is step 06's tree, walked on all cores of the CPU. Trees compute far fewer interactions than N², "
         "so they have no rates: compare their times and errors.")
CHART_TEXT = f"How many times as fast as step 01 each step is, with {FEW:,} bodies and with {MANY:,}"
NONE = "Nothing is recorded of this on {}."
# Columns of docs/results.md, in their order, and their meaning.
LEGEND = [
    ("time ms", "median time of one evaluation of all forces"),
    ("GFLOP/s", f"the rate at {FLOP} FLOP per interaction, as in GPU Gems 3"),
    ("% FMA", "this rate, as a percentage of the rate that the same card reaches with multiply-adds alone"),
    ("ceiling", "GFLOP/s if every scheduler issued an instruction of the kernel's innermost loop in every cycle; "
                "\"-\" if the loop was not counted"),
    ("error", "difference from the acceleration in FP64, divided by that acceleration (a sample of bodies)"),
    ("x serial, x simd, x host_tree", "how many times as fast the row's program is as this program on the CPU"),
]
ENERGY = [
    ("J", "energy of one evaluation: GPU and memory, idle power included; for programs on the CPU, the processors"),
    ("W", "mean power while evaluations follow each other"),
]
FP64 = [("FP64 ms, FP64 / FP32", "the time in double precision, and this time divided by an FP32 time that was measured together "
         "with it")]


def site_bodies(recorded):
    sizes = {run["bodies"] for run in recorded.runs}
    return SITE_BODIES if SITE_BODIES in sizes else max(sizes)


def kept_wide(text):
    """Returns the text with its first words kept in one line. A phone then scrolls a table instead of stacking single words."""
    end = text.rfind(" ", 0, WIDE + 1) if len(text) > WIDE else len(text)
    return text[:end].replace(" ", NO_BREAK_SPACE) + text[end:]


def idea(step):
    """Returns the first sentence of the bold text at the start of a step's README.md."""
    found = re.search(r"\*\*(.+?)\*\*", (ROOT / step / "README.md").read_text(), re.DOTALL)
    return re.match(r".*?\.(?= |$)|.*", " ".join(found[1].split()))[0] if found else ""


def step_title(step):
    """Returns a step's name as people read it, from the heading of its README.md: "04 Several threads per body"."""
    return re.match(r"# (\d\d): (.+)", (ROOT / step / "README.md").read_text()).expand(r"\1 \2")


def front_rows(recorded):
    """Returns the rows of FRONT_COLUMNS. The largest gain of each act is bold."""
    acts = Acts(recorded.runs)
    fastest = {bodies: acts.fastest(bodies) for bodies in ACTS}
    for step in sorted(set().union(*fastest.values())):
        row = [f"[{step_title(step)}]({step}/README.md)"]
        for bodies, programs in fastest.items():
            program = programs.get(step)
            factor = times(acts.factor(program, bodies))
            is_best = program and program == acts.best(bodies)[1]
            row += [three_digits(acts.ms(program, bodies)), f"**{factor}**" if is_best else factor]
        yield [*row, kept_wide(idea(step))]


def front_finding(acts):
    """Returns what the table shows, and why tiles gain so little with many bodies; empty if a time is missing."""
    if None in (gains := [acts.factor(program, bodies) for program, bodies in (
            ("02_tiled", FEW), ("02_tiled", MANY), ("06_tree_walk", FEW), ("06_tree_walk", MANY))]):
        return ""
    tiles, tiles_many, tree, tree_many = gains
    return (f"**No step is best at both sizes.** Tiles (02) gain {100 * tiles_many - 100:.0f}% with a million bodies, but a factor of "
            f"{times(tiles)} with {FEW:,}. A tree (06) is {times(1 / tree)} times as slow as step 01 with {FEW:,} bodies, but "
            f"{times(tree_many)} times as fast with a million. Why? The 32 threads of a *warp* read the same body, so the cache "
            "has it, and with many bodies a scheduler runs other warps while one waits. With few bodies it has no other warp. The CPU "
            "builds the tree of 06, and with few bodies this takes longer than all the forces of step 01.")


def site_rows(recorded):
    """Returns the rows of SITE_COLUMNS: every run of the front page's number of bodies."""
    for run in recorded.runs:
        if run["bodies"] == site_bodies(recorded):
            named = dict(zip(COLUMNS, cells(run, recorded.runs)))
            named["executed GFLOP/s"] = shown(recorded.executed(run), ",.0f")
            yield [named[column] for column in SITE_COLUMNS]


def site_legend(recorded):
    bodies = site_bodies(recorded)
    return (f"{recorded.device['name']}, {recorded.stamp(bodies)}, N = {bodies:,}. Time: one "
            "evaluation of all forces, median. GFLOP/s: at 20 FLOP per interaction. % FMA: of the rate that a probe "
            "measured in the same runs. Executed: what the innermost loop's instructions do, where they were counted. "
            f"{ERROR} {TREES}")


def front_stamp(recorded):
    """Returns what the columns of the front page's table say, and which of its programs are tuned."""
    acts = Acts(recorded.runs)
    tuned = sorted({program for bodies in ACTS for program in acts.fastest(bodies).values() if program.endswith("_tuned")})
    programs = f" Each row has the fastest program of its step, which may be a tuned version ({', '.join(tuned)})." if tuned else ""
    return (f"{recorded.stamp(*ACTS)}. ms: the median time of one evaluation of all forces. Times as fast: compared with step "
            f"01.{programs} Step 06 builds its tree on the CPU, so its time also depends on the speed and the load of the host.")


def front_section(recorded):
    folder = f"docs/results/{recorded.folder.name}"
    return "\n\n".join(filter(None, [
        f'<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="{folder}/ladder-acts-dark.svg">\n'
        f'  <img src="{folder}/ladder-acts.svg" alt="{CHART_TEXT}">\n</picture>',
        markdown.table(FRONT_COLUMNS, front_rows(recorded), {1, 2, 3, 4}),
        front_finding(Acts(recorded.runs)), f"{recorded.device['name']}, {front_stamp(recorded)}"]))


def parts(trees):
    """A table for each program whose evaluation has parts, with a row for each number of bodies."""
    for step, runs in grouped(trees, lambda run: run["step"]).items():
        names = list(dict.fromkeys(name for run in runs for name in run["parts_ms"]))
        rows = [[f"{run['bodies']:,}", *(shown(run["parts_ms"].get(name), ".4g") for name in names)] for run in runs]
        yield markdown.table([f"{step}, N", *(f"{name.replace('_', ' ')} ms" for name in names)], rows, range(1 + len(names)))


def ladder_section(recorded):
    """Returns stamp, legend and tables."""
    device, runs = recorded.device, recorded.runs
    fp64 = recorded.fp64()
    columns, rows = table.whole_table(runs, fp64)
    hosts = sorted({run["device"]["name"] for run in runs if run.get("device", {}).get("kind") == "host"})
    bodies = ", ".join(sorted({f"{'file' if 'input' in run else 'scene'} {run['scene']}" for run in runs}))
    legend = [*LEGEND, *(ENERGY if any("energy" in run for run in runs) else ()), *(FP64 if fp64 else ())]
    blocks = [
        f"{device['name']}, driver {device['driver']}, CUDA {device['cuda']}; {bodies}, "
        f"{', '.join(sorted({run['precision'].upper() for run in runs}))}. "
        f"Measured FMA ceiling: {device['fma_tflops']:.1f} TFLOP/s at {device['fma_clock_ghz']:.2f} GHz. "
        f"CPU of the baselines: {', '.join(hosts)}.",
        f"![Rate by step, a line for each N, with the measured FMA ceiling](results/{recorded.folder.name}/ladder.svg)",
        markdown.table(("column", "what it says"), legend)]
    for size in sorted({run["bodies"] for run in runs}):
        speed, others = table.two_tables(columns, [row for row, run in zip(rows, runs) if run["bodies"] == size])
        blocks += [f"### {size:,} bodies", f"Measured at {recorded.stamp(size)}.", speed, "The same runs:", others]
    if trees := [run for run in runs if "parts_ms" in run and "flop_per_interaction" not in run]:
        blocks += ["### The parts of a tree's time", f"{TREES} Their times have these parts:", *parts(trees)]
    return "\n\n".join(blocks)


def instructions_section(recorded):
    if not recorded.counts:
        return NONE.format(recorded.device["name"])
    first = recorded.counts[0]
    run, device = first["runs"][0], first["device"]
    rows = [instruction_cells(document["runs"][0]) for document in recorded.counts]
    return (f"{device['name']}, CUDA {device['cuda']}, {device['fma_clock_ghz']:.2f} GHz, commit "
            f"{first['suite']['commit']}; N = {run['bodies']:,}, FP32.\n\n"
            + markdown.table(INSTRUCTION_COLUMNS, rows, range(1, len(INSTRUCTION_COLUMNS))))


def limits_section(recorded):
    if not LIMITS.exists():
        return "Nothing is recorded of this."
    document = json.loads(LIMITS.read_text())
    *first, last = [f"sm_{each}" for each in sorted(set.intersection(*map(set, document["programs"].values())))]
    return (f"CUDA {document['cuda']}, commit {document['suite']['commit']}, FP32. All {len(document['programs'])} programs have "
            f"machine code for {', '.join(first)} and {last} (`docs/results/limits.txt`).\n\n"
            f"{table.limit_summary(document)}")


LIKE_FOR_LIKE = "05_triangular_map, any masses"  # the sample has masses in its loop too


def sample_section(recorded):
    """Returns NVIDIA's sample next to the suite's steps at the same N, in whole time steps per second."""
    sample = recorded.any_sample()
    if not sample:
        return NONE.format(recorded.device["name"])

    def cells_of(run):
        steps = run["suite_steps_per_s"]
        best = max(steps, key=steps.get)
        like, fastest = (f"{three_digits(steps[row])} ({steps[row] / run['steps_per_s']:.2f})" for row in (LIKE_FOR_LIKE, best))
        return [f"{run['bodies']:,}", three_digits(run["steps_per_s"]), like, best, fastest]

    how = sample["sample"]
    columns = ["N", "NVIDIA's sample", "step 05, masses in the loop", "fastest program", "its steps/s"]
    return (f"Time steps per second on one {sample['device']['name']}, all from one session, suite at commit "
            f"{sample['suite']['commit']}. The number in brackets says how many times as fast as the sample the program is. For a fair "
            f"comparison, look at step 05 with masses in its loop, because the sample has masses too; {how['also']}.\n\n"
            + markdown.table(columns, map(cells_of, sample["runs"]), {0, 1, 2, 4})
            + f"\n\nThe sample: {how['source']}, commit {how['commit'][:7]} of {how['date']}, built with {how['build']}; "
            f"{how['precision']}, {how['softening']}. `{how['command']}`, {how['taken']}.")


def written(recorded):
    """Returns text by page."""
    results = RESULTS.read_text()
    for name, section, writer in (
            ("ladder", ladder_section, LADDER), ("instructions", instructions_section, "./run profile --instructions NN --record"),
            ("limits", limits_section, "./run profile --limits --record"), ("sample", sample_section, LADDER)):
        results = markdown.with_section(results, name, section(recorded), writer)
    readme = markdown.with_section(README.read_text(), "rows", f"```\n{example(recorded)}\n```", LADDER)
    return {README: markdown.with_section(readme, "ladder", front_section(recorded), LADDER), RESULTS: results}
