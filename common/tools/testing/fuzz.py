"""Tests the readers of snapshot files with randomly damaged files, with clang's libFuzzer, AddressSanitizer and UBSan."""

import json
import os
import re
import subprocess

from common.base.command_line import BUILDS, ROOT, CommandFailed, whole_number
from common.tools import packages, progress
from common.tools.build import configured, made_folder

COMMON = ROOT / "common"
SOURCES = ["tests/fuzz/reader.cpp", "bodies/csv.cpp", "bodies/input_file.cpp", "bodies/snapshot.cpp", "bodies/tipsy.cpp",
           "base/output_file.cpp"]
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-O1", "-g", "-pthread",
         "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all"]


def add_arguments(parser):
    parser.add_argument("--runs", type=whole_number(1, 2**31 - 1), default=10**6, metavar="N", help="files per format (default: 1000000)")
    parser.add_argument("--seed", type=whole_number(0, 2**32 - 1), default=1, metavar="N", help="seed of the random damage (default: 1)")


def compile_reader(build):
    includes = [f"-I{folder}" for folder in (COMMON, configured("cpu") / "include", COMMON / "executor" / "include")]
    together = "".join(f'#include "{source}"\n' for source in SOURCES)  # as one file, in two thirds of the time
    with progress.shown(compiling="the readers"):
        ran = subprocess.run(["clang++", *FLAGS, *includes, "-x", "c++", "-", "-o", build / "reader"],
                             input=together, capture_output=True, text=True)
    if ran.returncode != 0:
        progress.complain(ran.stderr.rstrip())
        raise CommandFailed("the readers do not compile")


def fuzz(build, name, options):
    """Runs the fuzzer of one format. libFuzzer keeps what it learns in the first folder."""
    corpus, log = build / f"corpus-{name}", build / f"{name}.log"
    corpus.mkdir(exist_ok=True)
    for file, content in json.loads((COMMON / "tests" / "snapshots.json").read_text())[name].items():
        (corpus / file).write_bytes(bytes.fromhex(content["hex"]) if "hex" in content else content["text"].encode())
    with log.open("w") as out, progress.shown(fuzzing=name):
        status = subprocess.run([build / "reader", f"-runs={options.runs}", f"-seed={options.seed}", "-max_len=4096",
                                 "-timeout=10", f"-artifact_prefix={build / name}-", corpus],
                                stdout=out, stderr=out, env={**os.environ, "NBODY_FUZZ_NAME": f"fuzz.{name}"}).returncode
    said = log.read_text(errors="replace")
    if status != 0:
        progress.complain(said.rstrip())
        raise CommandFailed(f"the reader of {name} failed; the input is in {build / name}-*")
    done = re.search(r"^Done (\d+) runs", said, re.MULTILINE)
    print(f"{name}: {done[1]} inputs, no crash, no memory beyond the input's size", flush=True)


def run(options):
    for _ in range(2):  # the version of clang names the package of its libraries
        packages.install(packages.for_fuzzing())
    build = made_folder(BUILDS / "fuzz")
    compile_reader(build)
    for name in ("tipsy", "csv"):
        fuzz(build, name, options)
