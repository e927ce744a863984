"""Chooses a preset, configures its build folder and builds programs in it."""

import contextlib
import errno
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from common.base.command_line import BUILDS, ROOT, BadInput, CommandFailed, names_of, nearest, shown_path
from common.tools import packages, progress

OLDEST_CMAKE = (3, 22)
EXECUTOR = [f"nbody_executor_{part}" for part in ("check", "first", "last", "heap")]  # libraries that ladder-nvcc links
SECONDS_OF_A_COMMAND = 3.8  # mean for one core, of the programs of the steps
FULL = 4 << 20  # bytes that are left of a disk on which CMake and ccache fail without saying why
VERSION = re.compile(r"^build (\S+/nbody_version) (\S+) \|.*: CUSTOM_COMMAND$", re.MULTILINE)  # suite_version.cmake
NOT_OF_NINJA = re.compile(r"""['"&;<>|*?^`]""")  # letters that end a name for its parser of lists of headers
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


def step_named(text):
    """Returns the folder of the step that a user names, or ends the command if there is none."""
    for step in step_names():
        if text in names_of(step):
            return step
    there = " ".join(name[:2] for name in step_names())
    raise BadInput(f"no step '{text}'" + (nearest(text, step_names()) or f"; there are {there}"))


def kernel_steps():
    """Returns the steps whose own kernel can be examined alone. The others need the processes of ranks.py."""
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
    said = subprocess.run(["cmake", "--version"], capture_output=True, text=True)
    found = re.search(r"\d+(\.\d+)+", said.stdout)
    if not found:  # as the rest of a Python package for another Python
        raise BadInput(f"{shutil.which('cmake')} does not work ({(said.stderr.splitlines() or ['it prints no version'])[-1]}); install cmake again")
    return found[0]


def is_old(version):
    return tuple(map(int, version.split(".")[:2])) < OLDEST_CMAKE


@contextlib.contextmanager
def turn(folder):
    """Lets this command configure or build in the folder alone, after another one that does so."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress.complain(f"Another command is building in {folder.name}. This one waits for it.")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def is_configured(folder):
    """Returns whether a build folder is configured. Removes one that was moved, or whose checkout was: it names other places."""
    cache = folder / "CMakeCache.txt"
    if not (folder / "build.ninja").exists() or not cache.exists():
        return False
    home, here = (Path(re.search(rf"^CMAKE_{name}:INTERNAL=(.*)$", cache.read_text(), re.MULTILINE)[1])
                  for name in ("HOME_DIRECTORY", "CACHEFILE_DIR"))
    if ROOT.resolve() in (home.resolve(), *home.resolve().parents) and here.resolve() == folder.resolve():
        return True
    progress.complain(f"{shown_path(folder)} was made for {home}, in {here}: it is built again.")
    with turn(folder):
        shutil.rmtree(folder)
    return False


def use_ccache():
    """Lets ccache, if it is there, compile only once what several build folders have in common. Their paths are equal relative to
    the folders. What the user has set stays.
    """
    if shutil.which("ccache") and "CMAKE_CXX_COMPILER_LAUNCHER" not in os.environ:
        for name, value in (("CMAKE_CXX_COMPILER_LAUNCHER", "ccache"), ("CCACHE_DIR", BUILDS / "ccache"), ("CCACHE_DEPEND", "1"),
                            ("CCACHE_BASEDIR", os.path.commonpath([ROOT, BUILDS]))):
            os.environ.setdefault(name, str(value))


def is_full(folder):
    return shutil.disk_usage(folder).free < FULL


def run_cmake(folder):
    """Configures the folder of a preset."""
    in_ci = ["-DCMAKE_COMPILE_WARNING_AS_ERROR=ON"] if os.environ.get("CI") else []
    command = ["cmake", "--preset", folder.name, "-B", str(folder), *in_ci]
    with turn(folder), progress.shown(configuring=shown_path(folder)):
        ran = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if ran.returncode != 0 and is_full(folder):
        raise CommandFailed(f"the disk is full: {shown_path(folder)} could not be configured")
    (folder / "configure.log").write_text(ran.stdout)
    if ran.returncode != 0:
        print(ran.stdout, end="", file=sys.stderr)
        raise CommandFailed(f"'{' '.join(command)}' failed")


def planned(folder, targets=()):
    """Returns what Ninja would do for the targets, a line for each command. Before each build Ninja looks for the commit, and would
    plan to link all programs after that. This happens only after a commit, so it is left out.
    """
    plan = (folder / "build.ninja").read_text()
    version = VERSION.search(plan)
    if version and (folder / version[2]).exists():
        plan = plan.replace(version[0], f"build {version[1]}: phony")
    # From a file with its own name, Ninja would plan to make build.ninja again, and nothing after that.
    said = subprocess.run(["ninja", "-f", "/dev/stdin", "-n", *targets], cwd=folder, input=plan, capture_output=True, text=True).stdout
    return re.findall(r"^\[\d+/\d+\] (.*)", said, re.MULTILINE)


def duration(commands):
    """Returns a text: how long so many commands take on this machine. Empty if that is a few seconds."""
    seconds = commands * SECONDS_OF_A_COMMAND / len(os.sched_getaffinity(0))
    if seconds <= 10:
        return ""
    return f"{seconds / 60:.0f} minutes" if seconds >= 90 else "a minute" if seconds > 45 else "half a minute"


def in_words(targets):
    if not targets or "all" in targets:
        return "everything"
    return targets[0] if len(targets) == 1 else f"{len(targets)} programs and libraries"


def announce(plan, targets):
    """Says how long a planned build takes, if that is more than a few seconds. To link alone takes none."""
    if about := duration(sum(not command.startswith("Linking ") for command in plan)):
        progress.complain(f"First {in_words(targets)} must be built, from {len(plan)} parts. This takes about {about}, once.")


class Build:
    """One run of Ninja."""

    def __init__(self, folder, targets, commands, before=0, of=None):
        """before, of: the number of commands of earlier builds that belong to this one, and of all"""
        self.folder, self.total, self.is_disk_full = folder, commands, False
        self.before, self.of = before, of
        self.what = f" for {', '.join(targets)}" if 0 < len(targets) <= 3 else ""
        environment = {**os.environ, "NINJA_STATUS": "[%f/%t] ", "NBODY_LOCKED": str(folder.resolve())}
        with (folder / "build.log").open("w") as log, progress.shown(building=""), \
                subprocess.Popen(["ninja", *targets], cwd=folder, text=True, errors="replace", stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, env=environment) as process:
            # After the line that names what failed comes the whole command, which only the log needs. A full disk is told alone.
            lines, failed = iter(process.stdout), ""
            for line in lines:
                log.write(line)
                if line.startswith("FAILED: "):
                    failed, self.is_disk_full = line, self.is_disk_full or is_full(self.folder)
                    log.write(next(lines, ""))
                else:
                    for each in (line,) if "No space left on device" in line else (failed, line):
                        self.show(each)
                    failed = ""
                if self.is_disk_full:
                    process.send_signal(signal.SIGINT)
        self.has_failed = process.returncode != 0

    def show(self, line):
        if status := STATUS.match(line):
            if int(status[2]) >= self.total:  # Ninja first looks whether folders have new files, as a build of two commands
                progress.show(building=f"{self.before + int(status[1])} of {self.of or status[2]}{self.what}")
        elif "No space left on device" in line:
            self.is_disk_full = True
        elif line and not self.is_disk_full and not re.match("ninja: (no work|build stopped)|-- ", line):  # --: CMake's
            progress.complain(line.rstrip())


def build_targets(folder, targets=(), before=0, of=None):
    """Builds the targets, or everything if none are named. Shows the progress and the compilers' messages. before, of: if this is a
    part of a build that has been announced, the number of its commands before this part, and of all
    """
    plan = planned(folder, targets)
    if of is None:
        announce(plan, targets)
    if not plan and is_locked(folder):
        return
    with turn(folder):
        build = Build(folder, targets, len(plan), before, of)
    if build.is_disk_full:
        raise CommandFailed(f"the disk is full: {shown_path(folder)} could not be built")
    if build.has_failed:
        raise CommandFailed(f"the build of {in_words(targets)} failed; all commands are in {shown_path(folder / 'build.log')}")


def is_locked(folder):
    """Returns whether another command is building in the folder."""
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def made_folder(folder):
    """Returns a folder below BUILDS, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        raise BadInput(f"{folder}: {error.strerror}; set XDG_CACHE_HOME to a folder that you may write to") from None
    return folder


def configured(preset):
    """Returns the preset's build folder, configured."""
    folder = made_folder(BUILDS / preset)
    missing = packages.for_building(preset)
    packages.install(missing)
    use_ccache()
    if not is_configured(folder) or missing:
        check_cmake()
        if BUILDS != ROOT / "build":
            progress.complain(f"{ROOT} may not be written by this user, so the builds are in {BUILDS}.")
        if odd := NOT_OF_NINJA.search(f"{ROOT}{BUILDS}"):
            progress.complain(f"The folder's name has a {odd[0]}, which Ninja 1.11 does not read in lists of headers: each command builds "
                              f"again what it needs. Move {ROOT} to a folder without it.")
        run_cmake(folder)
    return folder


def built(preset, *targets):
    """Returns the preset's build folder, after building the targets, or everything."""
    folder = configured(preset)
    build_targets(folder, targets)
    return folder


def add_arguments(parser):
    """Adds the arguments of python3 common/tools tools.build, which builds while another command runs."""
    parser.add_argument("preset")
    parser.add_argument("targets", metavar="TARGET", nargs="+")


def run(options):
    for target in options.targets:  # between two, other commands have their turn
        built(options.preset, target)


def for_grading(step, exercise=None):
    """Returns the programs that grade submissions for a step or an exercise, without the executor."""
    if exercise and exercise.words("Counts"):  # a program that checks its own result
        return ["first_process"]
    return [f"{step}_submission", f"{step}_judge", f"{step}_judge_test"]


def for_check(step, is_in_fp64=False):
    """Returns the tests that ./run check runs."""
    precisions = precisions_of(step) if is_in_fp64 else [""]
    return [f"{name}{precision}_test" for name in programs_of(step) for precision in precisions]


def build_for_grading(options, step, exercise=None):
    """Builds what grading needs. The executor's checker judges a submission on any machine; a GPU adds its speed."""
    if options.build:
        return
    if preset_of(options) == "gpu" and not (exercise and exercise.program):
        options.gpu_build = built("gpu", f"{step}_submission", f"{step}_judge_timed")
    options.build = built("cpu-check", *for_grading(step, exercise), *EXECUTOR)
