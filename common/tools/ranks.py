"""The programs on several ranks, those of steps 08 and 11: which mpirun starts them, and how."""

import os
import re
import subprocess

from common.base.command_line import BadInput, CommandFailed, whole_number
from common.tools.build import has_gpu
from common.tools.programs import choices, run_program

STEP, TREE = STEPS = "08_many_gpus", "11_distributed_tree"
PROGRAM, TREE_PROGRAM = PROGRAMS = [f"{step}/{step}" for step in STEPS]  # in a build folder
MOST = 1024  # more processes would keep a host busy for hours, and mpirun does not refuse them
MISSING = f"{STEP} and {TREE} are left out: no MPI (Debian and Ubuntu: libopenmpi-dev openmpi-bin)"


def mpirun(build):
    """Returns mpirun of the MPI with which the program is built; None if CMake found none."""
    if f"build {PROGRAM}:" not in (build / "build.ninja").read_text():
        return None
    return re.search(r"^MPIEXEC_EXECUTABLE:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)[1]


number_of = whole_number(1, MOST, "--ranks")


def launcher(build, ranks, **more):
    """Returns the words before a program that start it on several ranks. more: environment variables"""
    told = {**environment(ranks), **more}
    return ["env", *(f"{name}={value}" for name, value in told.items()), mpirun(build), "-np", str(ranks)]


def environment(ranks):
    """Returns environment variables for Open MPI; other MPIs ignore them."""
    # Turns off the default, which binds rank 0 to one core, where it would check the forces alone.
    told = {"OMPI_MCA_hwloc_base_binding_policy": "none", "PRTE_MCA_hwloc_default_binding_policy": "none"}
    if os.geteuid() == 0:
        told.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    if 2 * ranks > (os.cpu_count() or 1):  # a rank per core, which may have two threads
        told.update(OMPI_MCA_mpi_yield_when_idle="1",  # a waiting rank leaves its core to those that compute
                    OMPI_MCA_rmaps_base_oversubscribe="1",
                    PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe")  # since version 5
    return {name: value for name, value in told.items() if name not in os.environ}


def check(build, ranks):
    """Ends the command if the program does not run on so many ranks, for example if there are fewer GPUs."""
    outcome = run_program(build / PROGRAM, ["--bodies=2", "--steps=0", "--no-measure", "--no-check"],
                          keep_complaint=True, launcher=launcher(build, ranks))
    if outcome.status != 0:
        raise (BadInput if outcome.status == 2 else CommandFailed)(outcome.complaint)


def methods(build):
    """Returns (program, its flags) of each way to compute forces on several ranks: step 08's exchanges, and step 11."""
    return [*((PROGRAM, {"exchange": word}) for word in choices(build / PROGRAM, "exchange")), (TREE_PROGRAM, {})]


def gpus():
    """Returns how many GPUs this machine has."""
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout if has_gpu() else ""
    return len(re.findall(r"^GPU \d+:", listed, re.M))


def name_of(run):
    """Returns a row's name: the step's, and on several ranks the exchange if it has a choice, and their number."""
    if run["step"] not in STEPS:
        return run["step"]
    words = [run["step"], run["parameters"].get("exchange"), f"x{run['metrics']['ranks']:.0f}"]
    return " ".join(filter(None, words))
