"""The compiler, headers and libraries with which ladder-nvcc compiles and links."""

import dataclasses
import fcntl
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ARCHITECTURE = 900  # default of __CUDA_ARCH__: an H100's

MARK, MARK_SECTION = "nbody_executor_mode_", ".nbody_mode"  # of an object: the symbol that it refers to, and where


class ToolError(Exception):
    """One line for the user, with which ladder-nvcc ends."""

    def __init__(self, message, status=2):
        super().__init__(message)
        self.status = status


@dataclasses.dataclass
class Toolchain:
    """The tools of one build folder or installation, from its file executor.json."""

    folder: Path
    compiler: list  # its command
    headers: str  # the folder that has executor/
    libraries: dict  # file by mode: "plain" or "check"
    targets: dict  # target that builds it, by mode; empty if the executor is installed
    objects: list  # linked before and after a program's own
    heap: str  # also linked if programs are checked
    plugin: str  # for g++ and checked programs (checker_plugin.cpp); empty without one
    wrapped: list  # options with which the linker directs calls of some functions to these two
    links: list  # options that the libraries need

    @staticmethod
    def read(file):
        file = Path(file)
        folder = file.resolve().parent
        return Toolchain(folder, **json.loads(file.read_text().replace("@HERE@", str(folder))))

    def is_clang(self):
        return "clang" in Path(self.compiler[-1]).name

    def library(self, mode):
        """Returns the library of a mode. Builds it first if it is missing or older than its sources."""
        file = Path(self.libraries[mode])
        parts = [file, *map(Path, self.objects), *([Path(self.heap)] if mode == "check" else [])]
        if mode in self.targets and (not all(part.exists() for part in parts) or self.is_old(file)):
            self.build(mode)
            os.utime(file)  # Ninja leaves it as it is if it does not depend on what has changed
        if not file.exists():
            raise ToolError(f"{file} is missing")
        return file

    def is_old(self, library):
        """Returns whether a source of the executor is newer than its library, which would then lack what headers declare."""
        sources = Path(self.headers, "executor").rglob("*.?pp")
        return library.stat().st_mtime < max(source.stat().st_mtime for source in sources)

    def build(self, mode):
        print(f"ladder-nvcc: building the executor ({mode})", file=sys.stderr, flush=True)
        with open(self.folder / "lock", "w", encoding="utf-8") as lock:
            # common/tools/build.py takes this lock too. A build that calls ladder-nvcc holds it, and says so.
            if os.environ.get("NBODY_LOCKED") != str(self.folder):
                fcntl.flock(lock, fcntl.LOCK_EX)
            ran = subprocess.run(["cmake", "--build", str(self.folder), "--target", self.targets[mode],
                                  *self.targets["objects"]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if ran.returncode != 0:
            sys.stderr.write(ran.stdout)
            raise ToolError("the executor could not be built", 1)

    def includes(self):
        return [word for folder in self.folders() for word in ("-isystem", str(folder))]

    def folders(self):
        """Returns the folders of headers. The first has those that nvcc/plain_headers.cmake makes."""
        return [self.folder / "include", Path(self.headers, "executor", "include"), Path(self.headers)]


def in_text(path):
    """Returns a path as the compiler writes it into a preprocessed text. Each letter of such a text is one byte (Latin-1)."""
    return os.fsencode(path).decode("latin-1").replace("\\", "\\\\").replace('"', '\\"')


def is_of_toolkit(folder):
    """Returns whether a folder, which makefiles name, has CUDA's own headers, which the executor's replace."""
    return (Path(folder) / "cuda_runtime_api.h").exists()


def has_thrust(folder):
    return (Path(folder) / "thrust" / "version.h").exists()


def thrust_flags(given=()):
    """Returns options with which the compiler finds Thrust's headers: in a folder that the user names, in Debian's
    libthrust-dev, which needs no option, or in a CUDA toolkit. None if there is no Thrust. A toolkit's other headers are found
    last.
    """
    if named := next((folder for folder in given if has_thrust(folder)), None):
        return ["-idirafter" if is_of_toolkit(named) else "-isystem", str(named)]
    if any(map(has_thrust, ("/usr/local/include", "/usr/include"))):
        return []
    homes = [Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")), *sorted(Path("/usr/local").glob("cuda-*"), reverse=True)]
    folders = [folder for home in homes for folder in (home / "include" / "cccl", home / "include")]
    found = next(filter(has_thrust, folders), None)
    return found and ["-idirafter", str(found)]


def definitions(architecture=ARCHITECTURE):
    """Returns macros that nvcc defines for a .cu file. Host code has __CUDA_ARCH__ too, because there is one pass."""
    return ["-D__CUDACC__=1", "-D__NVCC__=1", f"-D__CUDA_ARCH__={architecture}", "-D__CUDACC_VER_MAJOR__=12",
            "-D__CUDACC_VER_MINOR__=4", "-D__CUDACC_VER_BUILD__=131",
            f"-D__CUDA_ARCH_LIST__={architecture}", "-D__CUDACC_EXTENDED_LAMBDA__=1",
            "-D__CUDACC_RELAXED_CONSTEXPR__=1"]


# Some systems' compilers fortify by default, which turns memcpy() into __memcpy_chk(), and the checker would miss it.
PLAIN_NAMES = ["-U_FORTIFY_SOURCE"]


def kernel_flags(mode, is_clang, plugin=""):
    """Returns flags for a file with kernels, the same as in common/step.cmake."""
    flags = ["-fno-math-errno", "-fno-strict-aliasing", "-fwrapv", "-fno-delete-null-pointer-checks",
             "-Wno-unknown-pragmas", *PLAIN_NAMES]
    if mode == "plain":
        return [*flags, "-g1"]  # line numbers for reports of the runtime
    flags += ["-ftrivial-auto-var-init=pattern"]
    if is_clang:
        return [*flags, "-gdwarf-4", "-fsanitize=thread,array-bounds,alignment,return", "-mllvm", "-tsan-instrument-func-entry-exit=0",
                "-mllvm", "-tsan-instrument-read-before-write=1", "-mllvm", "-sink-common-insts=0", "-mllvm", "-enable-tail-merge=0"]
    # Lines only, but those of statements, as with -g. Otherwise a read in a loop's body is reported at the body's first line.
    # Without -fno-tree-sra, a local float4 becomes four variables, and its store four accesses. Without -flifetime-dse=1, a
    # constructor hides that a member was never written.
    return [*flags, "-g1", "-gstatement-frontiers", "-fno-tree-sra", "-flifetime-dse=1", "-fsanitize=thread,bounds,alignment,return",
            "--param=tsan-distinguish-volatile=1", "--param=tsan-instrument-func-entry-exit=0", "-Wno-tsan",
            "--param=logical-op-non-short-circuit=0", *([f"-fplugin={plugin}"] if plugin else [])]


def optimisation(mode, wanted):
    """Returns -O1 for checked programs in any case, because more optimisation hides accesses."""
    return "-O1" if mode != "plain" else wanted or "-O2"


def run(command, **options):
    """Runs a compiler, which prints its own errors."""
    if os.environ.get("LADDER_NVCC_VERBOSE"):
        print(" ".join(map(str, command)), file=sys.stderr)
    ran = subprocess.run([str(word) for word in command], **options)
    if ran.returncode != 0:
        raise ToolError(ran.stderr or "", ran.returncode if ran.returncode > 0 else 1)
    return ran


def wrong_mode(errors, mode):
    """Returns a sentence about an object that was compiled in another mode than the program's; None if the linker names none."""
    found = re.search(rf"{MARK}(\w+)", errors)
    if not found:
        return None
    file = re.search(rf"(\S+):\({re.escape(MARK_SECTION)}", errors)
    one, other = ("without --check" if each == "plain" else f"with --{each}" for each in (found[1], mode))
    return (f"{Path(file[1]).name if file else 'an object'} was compiled {one}, but the program is linked {other}: compile all "
            "files again in one mode. Through ccache, give the mode as an option, because ccache does not see LADDER_NVCC_MODE")


def link(command, inputs, mode):
    """Links a program. A missing main(), and objects of another mode, get one line instead of the linker's."""
    try:
        sys.stderr.write(run(command, stderr=subprocess.PIPE, text=True).stderr)
    except ToolError as error:
        all_errors = "-Wl,--error-limit=0"
        if "error-limit=0" in str(error) and all_errors not in command:  # LLVM's linker has shown only the first
            return link([*command, all_errors], inputs, mode)
        if re.search(r"undefined (reference to|symbol:) [`']?main\b", str(error)):
            raise ToolError(f"{', '.join(map(str, inputs))}: there is no main() function, so this is no whole program. Add the "
                            "file that has it, or compile with -c", 1) from None
        if sentence := wrong_mode(str(error), mode):
            raise ToolError(sentence, 1) from None
        sys.stderr.write(str(error))
        raise ToolError("", error.status) from None
