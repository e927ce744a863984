"""Chooses a preset, configures its build folder and builds programs in it."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from common.base.command_line import ROOT, BadInput, CommandFailed
from common.tools import packages, progress

OLDEST_CMAKE = (3, 22)
EXECUTOR = [f"nbody_executor_{part}" for part in ("check", "first", "last", "heap")]  # libraries that ladder-nvcc links
STATUS = re.compile(r"\[(\d+)/(\d+)\] ")  # Ninja's numbers of commands that have ended, and of all


def add_preset(parser, choices=("cpu", "gpu"), help="gpu: use a GPU; cpu: use the CPU executor (default: gpu if there is a "
               "GPU and nvcc)"):
    parser.add_argument("--preset", choices=choices, help=help)


def has_gpu():
    return bool(shutil.which("nvidia-smi")) and "GPU 0" in subprocess.run(
        ["nvidia-smi", "-L"], capture_output=True, text=True).stdout


def preset_of(options):
    if getattr(options, "build", None):
        return options.build.name
    return options.preset or ("gpu" if packages.find_cuda_tool("nvcc") and has_gpu() else "cpu")


def step_names():
    """Returns the steps' folders, in the ladder's order."""
    return sorted(path.parent.name for path in ROOT.glob("[0-9][0-9]_*/CMakeLists.txt"))


def step_named(number):
    """Returns the step's folder, or ends the command if there is none."""
    steps = {name[:2]: name for name in step_names()}
    if number not in steps:
        raise BadInput(f"no step '{number}'; there are {' '.join(steps)}")
    return steps[number]


def kernel_steps():
    """Returns the steps whose own kernel can be examined alone. The other step needs the processes of ranks.py."""
    return [step for step in step_names() if (ROOT / step / "forces.cu").exists()]


def programs_of(step):
    """Returns a step's own program, and that of a tuned.cu next to its forces.cu."""
    return [step, *([f"{step[:2]}_tuned"] if (ROOT / step / "tuned.cu").exists() else [])]


def precisions_of(step):
    """Returns endings of its programs' names: "" for FP32, "_fp64" for FP64, which a step with FP16 products does not have."""
    return [""] if re.search(r"\bFP32\b", (ROOT / step / "CMakeLists.txt").read_text()) else ["", "_fp64"]


def check_cmake():
    """Installs the package manager's CMake if it is newer than a CMake that is too old. Otherwise ends with advice."""
    if is_old(cmake_version()) and not is_old(packages.offered("cmake")):
        packages.install(["cmake"])
    if is_old(version := cmake_version()):
        raise BadInput(f"cmake {version} is too old, {'.'.join(map(str, OLDEST_CMAKE))} or newer is needed; type: "
                       f"python3 -m pip install --user cmake && export PATH=~/.local/bin:$PATH (on a cluster perhaps "
                       "module load cmake)")


def cmake_version():
    said = subprocess.run(["cmake", "--version"], stdout=subprocess.PIPE, text=True).stdout
    return re.search(r"\d+(\.\d+)+", said)[0]


def is_old(version):
    return tuple(map(int, version.split(".")[:2])) < OLDEST_CMAKE


def lock(folder):
    """Returns the open lock file of a build folder. The command that holds it configures and builds there alone."""
    folder.mkdir(parents=True, exist_ok=True)
    file = (folder / "lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        progress.complain(f"Another command is building in {folder.name}; this one waits for it.")
        fcntl.flock(file, fcntl.LOCK_EX)
    return file


def is_configured(folder):
    """Returns whether a folder under build/ is configured. Removes that of a moved checkout, which builds other sources."""
    cache = folder / "CMakeCache.txt"
    if not (folder / "build.ninja").exists() or not cache.exists():
        return False
    home = Path(re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache.read_text(), re.MULTILINE)[1])
    if ROOT.resolve() in (home.resolve(), *home.resolve().parents):
        return True
    progress.complain(f"build/{folder.name} was made in {home}: it is built again here.")
    with lock(folder):
        shutil.rmtree(folder)
    return False


def run_cmake(folder):
    """Configures the folder build/PRESET."""
    in_ci = ["-DCMAKE_COMPILE_WARNING_AS_ERROR=ON"] if os.environ.get("CI") else []
    command = ["cmake", "--preset", folder.name, *in_ci]
    with lock(folder), progress.shown(configuring=str(folder.relative_to(ROOT))):
        ran = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    (folder / "configure.log").write_text(ran.stdout)
    if ran.returncode != 0:
        print(ran.stdout, end="", file=sys.stderr)
        raise CommandFailed(f"'{' '.join(command)}' failed")


def build_targets(folder, targets=()):
    """Calls Ninja, for everything if no targets are named. Shows the progress and the compilers' messages."""
    command = ["cmake", "--build", str(folder), *(["--target", *targets] if targets else [])]
    what = f" for {', '.join(targets)}" if 0 < len(targets) <= 3 else ""
    environment = {**os.environ, "NINJA_STATUS": "[%f/%t] ", "NBODY_LOCKED": str(folder.resolve())}
    with lock(folder), (folder / "build.log").open("w") as log, progress.shown(building=""), \
            subprocess.Popen(command, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env=environment) as process:
        for line in process.stdout:
            log.write(line)
            if status := STATUS.match(line):
                progress.show(building=f"{status[1]} of {status[2]}{what}")
            elif not line.startswith("ninja: no work to do"):
                progress.complain(line.rstrip())
    if process.returncode != 0:
        raise CommandFailed(f"'{' '.join(command)}' failed")


def configured(preset):
    """Returns the preset's build folder, configured."""
    folder = ROOT / "build" / preset
    missing = packages.for_building(preset)
    if not is_configured(folder) or missing:
        packages.install(missing)
        check_cmake()
        run_cmake(folder)
    return folder


def built(preset, *targets):
    """Returns the preset's build folder, after building the targets, or everything."""
    folder = configured(preset)
    build_targets(folder, targets)
    return folder


SECONDS_OF_A_COMMAND = 2.5  # mean for one core


def announce(folder, targets):
    """Announces a build, and how long it takes, if that is more than a few seconds."""
    # Under its own name, Ninja would plan to make build.ninja again, and nothing after that.
    (folder / "plan.ninja").write_text("include build.ninja\n")
    planned = subprocess.run(["ninja", "-C", folder, "-f", "plan.ninja", "-n", *targets], capture_output=True, text=True).stdout
    commands = max((int(found[1]) for found in re.finditer(r"^\[\d+/(\d+)\]", planned, re.MULTILINE)), default=0)
    seconds = commands * SECONDS_OF_A_COMMAND / os.cpu_count()
    if seconds > 10:
        about = f"{seconds / 60:.0f} minutes" if seconds >= 90 else "a minute" if seconds > 45 else "half a minute"
        progress.complain(f"First the programs that check your code are built. This takes about {about}, once.")


def build_for_grading(options, step):
    """Builds what grading needs. The executor's checker judges a submission on any machine; a GPU adds its speed."""
    if options.build:
        return
    if preset_of(options) == "gpu":
        options.gpu_build = built("gpu", f"{step}_submission", f"{step}_judge_timed")
    targets = [f"{step}_submission", f"{step}_judge", f"{step}_judge_test", *EXECUTOR]
    announce(configured("cpu-check"), targets)
    options.build = built("cpu-check", *targets)
