"""Counts the micro-kernels of common/tests/counts/micro.cu with Nsight Compute: what each asks of memory on this GPU.

./run profile micro --record keeps micro_counts.json, and ncu's own table in micro_counts.csv. A test compares the executor's counts
with every such record.
"""

import csv
import json
import re
import subprocess

from common.base.command_line import ROOT, CommandFailed, shown_path
from common.tools import packages, progress
from common.tools.ladder import record

PROGRAM = ROOT / "common" / "tests" / "counts" / "micro.cu"
GLOBAL = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
ACCESSES = {"load": "ld", "store": "st", "atomic": "atom"}
# The counters by the names of the record. An atomic whose result nobody uses is a reduction, "red".
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
KEPT = ("ID", "Kernel Name", "Block Size", "Grid Size")  # of the columns of ncu's table, in addition to the metrics


def launches():
    """{the line of a launch in the program: the name that it gives its kernel}, in their order."""
    return {number: match[1] for number, line in enumerate(PROGRAM.read_text().splitlines(), 1)
            if (match := re.match(r"  (\w[^(]*?)<<<", line))}


def known(tool):
    """The metrics that this GPU has, or all if ncu does not list them."""
    listed = subprocess.run([tool, "--query-metrics"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    names = {line.split()[0] for line in listed.splitlines() if "__" in line}
    found = {name: metric for name, metric in METRICS.items() if metric.rpartition(".")[0] in names}
    if missing := METRICS.keys() - found.keys():
        progress.complain(f"ncu does not list {', '.join(sorted(missing))}")
    return found or METRICS


def launches_counted(text):
    """A dictionary for each launch of ncu's table, which has a line of units below its heading."""
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    return [row for row in csv.DictReader(lines[begin:]) if row["ID"]]


def parsed(table, metrics):
    """{kernel: its counters} of the launches; a counter that is 0 is left out."""
    names = list(launches().values())
    if len(table) != len(names):
        raise CommandFailed(f"ncu's table has {len(table)} launches, the program {len(names)}")
    found = {}
    for name, row in zip(names, table):
        if not re.match(rf"(void )?{re.match(r'[A-Za-z0-9]+', name)[0]}\b", row["Kernel Name"]):
            raise CommandFailed(f"ncu counted '{row['Kernel Name']}' where the program launches {name}")
        values = {counter: int(row[metric].replace(",", "")) for counter, metric in metrics.items()}
        found[name] = {counter: value for counter, value in values.items() if value}
    return found


def write_record(text, metrics, device, files):
    """Writes the record, with a line for each kernel, and ncu's table without what it says of the GPU."""
    table = launches_counted(text)
    head = json.dumps({"device": device, "metrics": metrics}, indent=1)[:-len("\n}")]
    lines = [f"  {json.dumps(name)}: {json.dumps(counters)}" for name, counters in parsed(table, metrics).items()]
    files[0].write_text(head + ',\n "kernels": {\n' + ",\n".join(lines) + "\n }\n}\n")
    with open(files[1], "w", newline="") as file:
        writer = csv.DictWriter(file, [*KEPT, *metrics.values()], extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def measure(tool, folder, is_recorded):
    """Compiles the program, runs it under ncu and leaves the record in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    program, log, metrics = folder / "micro", folder / "micro_counts.log", known(tool)
    with progress.shown(compiling=PROGRAM.name):
        if subprocess.run([packages.find_cuda_tool("nvcc"), "-arch=native", "-o", program, PROGRAM]).returncode != 0:
            raise CommandFailed(f"nvcc does not compile {PROGRAM.name}")
    with progress.shown(profiling=PROGRAM.name):
        ran = subprocess.run([tool, "--cache-control", "none", "--clock-control", "none", "--csv", "--page", "raw", "--print-units",
                              "base", "--metrics", ",".join(metrics.values()), program],
                             text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    log.write_text(ran.stdout)
    if ran.returncode != 0 or "==ERROR==" in ran.stdout:
        raise CommandFailed(f"ncu of {PROGRAM.name} failed: see {shown_path(log)}")
    name = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader", "-i", "0"], text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    device = {"kind": "gpu", "name": name}
    files = [folder / "micro_counts.json", folder / "micro_counts.csv"]
    write_record(ran.stdout, metrics, device, files)
    print(f"Written: {shown_path(files[0])}, {len(launches())} kernels")
    if is_recorded:
        print(f"Recorded: {shown_path(record.keep(files, device))}")
