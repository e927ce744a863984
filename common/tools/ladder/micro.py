"""Counts memory accesses on this GPU with Nsight Compute: those of the micro-kernels of common/executor/tests/counts/micro.cu, and of
the force kernels of steps 01 to 07.

./run profile micro --record stores micro_counts.json and force_counts.json, and ncu's own tables next to them as CSV. Tests
compare the executor's counts with every such record.
"""

import csv
import json
import re
import subprocess

from common.base.command_line import ROOT, CommandFailed, shown_path
from common.grader.steps import with_fact
from common.tools import packages, progress
from common.tools.ladder import store
from common.tools.programs import flags, now

PROGRAM = ROOT / "common" / "executor" / "tests" / "counts" / "micro.cu"
GLOBAL = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
ACCESSES = {"load": "ld", "store": "st", "atomic": "atom"}
# Counters by their names in the record. An atomic whose result is not used is a reduction, "red".
METRICS = {
    **{f"global {access} {what}": GLOBAL.format(what, short) for access, short in {**ACCESSES, "reduction": "red"}.items()
       for what in ("requests", "sectors")},
    **{f"global {access} bytes": f"smsp__sass_data_bytes_mem_global_op_{ACCESSES[access]}.sum" for access in ("load", "store")},
    **{f"shared {access} requests": f"smsp__inst_executed_op_shared_{short}.sum" for access, short in ACCESSES.items()},
    **{f"shared {access} wavefronts": f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{short}.sum"
       for access, short in ACCESSES.items()},
    **{f"shared {access} conflicts": f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{short}.sum"
       for access, short in ACCESSES.items()},
    **{f"shared {access} bytes": f"smsp__sass_data_bytes_mem_shared_op_{ACCESSES[access]}.sum" for access in ("load", "store")},
    "branches that part lanes": "smsp__sass_branch_targets_threads_divergent.sum",
}
FORCE_BODIES = 1024
FORCE_KERNELS = with_fact("profiled")  # by step
KEPT = ("ID", "Kernel Name", "Block Size", "Grid Size")  # columns of ncu's table in addition to the metrics


def launches():
    """Returns {line of a launch in the program: the name of its kernel}, in their order."""
    return {number: match[1] for number, line in enumerate(PROGRAM.read_text().splitlines(), 1)
            if (match := re.match(r"  (\w[^(]*?)<<<", line))}


def known(tool):
    """Returns the metrics that this GPU has, or all if ncu does not list them."""
    listed = subprocess.run([tool, "--query-metrics"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    names = {line.split()[0] for line in listed.splitlines() if "__" in line}
    found = {name: metric for name, metric in METRICS.items() if metric.rpartition(".")[0] in names}
    if missing := METRICS.keys() - found.keys():
        progress.complain(f"ncu does not list {', '.join(sorted(missing))}")
    return found or METRICS


def launches_counted(text):
    """Returns a dictionary per launch of ncu's table, which has a line of units below its heading."""
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    return [row for row in csv.DictReader(lines[begin:]) if row["ID"]]


def counters(row, metrics):
    """Returns a launch's counters by name, without those that are 0."""
    values = {counter: int(row[metric].replace(",", "")) for counter, metric in metrics.items()}
    return {counter: value for counter, value in values.items() if value}


def parsed(table, metrics, names):
    """Returns the counters of each launch by its name, which begins with that of its kernel, or FORCE_KERNELS has it."""
    if len(table) != len(names):
        raise CommandFailed(f"ncu's table has {len(table)} launches, not {len(names)}")
    for name, row in zip(names, table):
        kernel = FORCE_KERNELS.get(name) or re.match(r"[A-Za-z0-9]+", name)[0]
        if not re.search(rf"\b{kernel}\b", row["Kernel Name"]):
            raise CommandFailed(f"ncu counted '{row['Kernel Name']}' where {kernel} is launched")
    return {name: counters(row, metrics) for name, row in zip(names, table)}


def write_record(table, kernels, metrics, facts, stem):
    """Writes the record, with a line per kernel, and ncu's table without facts about the GPU. Returns the two files."""
    files = [stem.with_suffix(".json"), stem.with_suffix(".csv")]
    head = json.dumps({**facts, "metrics": metrics}, indent=1)[:-len("\n}")]
    lines = [f"  {json.dumps(name)}: {json.dumps(counted)}" for name, counted in kernels.items()]
    files[0].write_text(head + ',\n "kernels": {\n' + ",\n".join(lines) + "\n }\n}\n")
    with open(files[1], "w", newline="") as file:
        writer = csv.DictWriter(file, [*KEPT, *metrics.values()], extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
    print(f"Written: {shown_path(files[0])}, {len(kernels)} kernels")
    return files


def printed_by_ncu(words, program, arguments):
    """Returns what ncu with these words prints about the program."""
    ran = subprocess.run([*words, program, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if ran.returncode != 0 or "==ERROR==" in ran.stdout:
        lines = [line for line in ran.stdout.splitlines() if "==ERROR==" in line] or [f"status {ran.returncode}"]
        raise CommandFailed(f"ncu of {program.name}: {lines[0]}")
    return ran.stdout


def profiled(tool, program, metrics, chosen=(), arguments=()):
    """Returns the launches of a program that ncu counted. chosen: ncu's options that select some of them"""
    words = [tool, "--cache-control", "none", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", *chosen,
             "--metrics", ",".join(metrics.values())]
    with progress.shown(profiling=program.name):
        return launches_counted(printed_by_ncu(words, program, arguments))


def measure(tool, build, commit):
    """Counts micro-kernels and force kernels, and writes the records to the build's folder `profile`. commit: if they are kept"""
    folder, metrics = build / "profile", known(tool)
    folder.mkdir(parents=True, exist_ok=True)
    with progress.shown(compiling=PROGRAM.name):
        if subprocess.run([packages.find_cuda_tool("nvcc"), "-arch=native", "-o", folder / "micro", PROGRAM]).returncode != 0:
            raise CommandFailed(f"nvcc does not compile {PROGRAM.name}")
    name, driver = store.gpu("name"), store.gpu("driver_version")
    facts = {"suite": {"commit": commit or "unknown", "preset": "gpu"}, "date": now(), "device": {"kind": "gpu", "name": name, "driver": driver}}
    table = profiled(tool, folder / "micro", metrics)
    files = write_record(table, parsed(table, metrics, launches().values()), metrics, facts, folder / "micro_counts")
    given = [*flags(bodies=FORCE_BODIES, steps=0), "--no-check"]
    table = [row for step, kernel in FORCE_KERNELS.items()
             for row in profiled(tool, build / step / step, metrics, ["-k", f"regex:{kernel}", "-c", "1"], given)]
    files += write_record(table, parsed(table, metrics, FORCE_KERNELS), metrics, facts, folder / "force_counts")
    if commit:
        print(f"Recorded: {shown_path(store.keep(files, facts['device']))}")
