"""The Debian packages that the commands need: finds missing ones and installs them."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from common.base.command_line import BadInput

SYSTEM_PYTHON = "/usr/bin/python3"
# Packages that make the documentation, and a file of each.
DOCS_FILES = {"doxygen-awesome-css": "/usr/share/doxygen-awesome-css/doxygen-awesome.css",
              "libjs-mathjax": "/usr/share/javascript/mathjax/MathJax.js"}
BUILD_HEADERS = {"libcli11-dev": "CLI/CLI.hpp", "nlohmann-json3-dev": "nlohmann/json.hpp", "catch2": "catch2"}
# Only for tests of Thrust. Everything else is built without it, so it is installed only together with what is needed. The same
# holds for ccache.
MORE_HEADERS = {"libthrust-dev": "thrust/version.h"}
FIBERS, FIBERS_PACKAGE = "boost/context/fiber.hpp", "libboost-context-dev"
LOCK_SECONDS, LOCK_PAUSE = 300, 3  # the longest wait for another apt-get, and between attempts
LOCKED = re.compile(r"[Cc]ould not get lock|[Uu]nable to lock|[Uu]nable to acquire the dpkg")
OFFLINE = re.compile(r"Temporary failure resolving|Could not resolve|Could not connect|Network is unreachable|No route to host")
# Packages of programs with another name.
PACKAGE_OF = {"bwrap": "bubblewrap", "chromedriver": "chromium-driver", "ninja": "ninja-build", "pgrep": "procps"}


def without_program(*programs):
    """Returns the packages of the programs that are missing."""
    return [PACKAGE_OF.get(program, program) for program in programs if not shutil.which(program)]


def offered(package):
    """Returns the version that apt-get would install; "0.0" if none."""
    if not shutil.which("apt-cache"):
        return "0.0"
    said = subprocess.run(["apt-cache", "policy", package], stdout=subprocess.PIPE, text=True).stdout
    found = re.search(r"Candidate: (?:\d+:)?(\d+(?:\.\d+)+)", said)
    return found[1] if found else "0.0"


def find_cuda_tool(name):
    """Returns the path of a program of the CUDA toolkit, on PATH or under CUDA_HOME, by default /usr/local/cuda; or None."""
    return shutil.which(name) or shutil.which(name, path=os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin")


def has_file(*patterns):
    prefixes = ["/usr", "/usr/local", *os.environ.get("CMAKE_PREFIX_PATH", "").split(":")]
    return any(found for prefix in prefixes if prefix for pattern in patterns for found in Path(prefix).glob(pattern))


def has_header(name):
    return has_file(f"include/{name}")


def has_fibers():
    """Returns whether Boost's library is there. Its headers may be there without it."""
    return has_header(FIBERS) and has_file("lib*/libboost_context*", "lib/*/libboost_context*")


def plugin_package(version):
    """Returns the package of this g++'s headers for plugins, with which checked builds see copies of structs, or none."""
    package = f"gcc-{version.partition('.')[0]}-plugin-dev"
    return [package] if offered(package) != "0.0" else []


def for_plugin(compiler):
    """Returns the same, if the compiler is a g++ and they are missing."""
    said = [subprocess.run([compiler, word], capture_output=True, text=True).stdout.strip()
            for word in ("--version", "-dumpversion", "-print-file-name=plugin")]
    is_needed = "Free Software Foundation" in said[0] and not Path(said[2], "include", "gcc-plugin.h").exists()
    return plugin_package(said[1]) if is_needed else []


def for_executor():
    missing = without_program("cmake", "ninja")
    compiler = os.environ.get("CXX", "c++")
    missing += for_plugin(compiler) if shutil.which(compiler) else ["g++", *plugin_package(offered("g++"))]
    return missing + ([] if has_fibers() else [FIBERS_PACKAGE])


def without_header(headers):
    return [package for package, header in headers.items() if not has_header(header)]


def for_building(preset):
    missing = [package for package in for_executor()
               if not preset.startswith("gpu") or package != FIBERS_PACKAGE and not package.endswith("-plugin-dev")]
    missing += without_header(BUILD_HEADERS)
    return [*missing, *without_header(MORE_HEADERS), *without_program("ccache")] if missing else []


def for_docs():
    return without_program("doxygen") + [package for package, file in DOCS_FILES.items() if not Path(file).exists()]


# Packages of a container, in which ./run live cannot install anything later.
KINDS = {"cpu": lambda: for_building("cpu") + without_module("websockets"),
         "gpu": lambda: for_building("gpu") + without_module("websockets"), "docs": for_docs}


def for_fuzzing():
    """Returns clang's package, or that of its libFuzzer, which is named after clang's version."""
    if not shutil.which("clang++"):
        return ["clang"]
    source = 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
    command = ["clang++", "-fsanitize=fuzzer,address", "-x", "c++", "-", "-o", os.devnull]
    if subprocess.run(command, input=source, text=True, capture_output=True).returncode == 0:
        return []
    version = subprocess.run(["clang++", "-dumpversion"], capture_output=True, text=True).stdout
    return [f"libclang-rt-{version.split('.')[0]}-dev"]


def by_hand(packages):
    return f"sudo apt-get update && sudo apt-get install -y {' '.join(packages)}"


def install(packages):
    """Installs the packages, as root or with sudo, or ends the command with the line to type."""
    if not packages:
        return
    if not shutil.which("apt-get"):
        raise BadInput(f"install what these Debian packages hold, then try again: {' '.join(packages)}")
    administrator = ["sudo"] if os.getuid() != 0 else []
    # Without a terminal sudo could not ask for the password.
    if administrator and not (shutil.which("sudo") and (
            sys.stdin.isatty() or subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0)):
        raise BadInput(f"packages are missing and this user may not install them; type: {by_hand(packages)}")
    print(f"Installing {' '.join(packages)}", flush=True)
    quiet_install = "env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends".split()
    for command in (["apt-get", "update"], [*quiet_install, *packages]):
        status, said = apt([*administrator, *command, "-o", f"DPkg::Lock::Timeout={LOCK_SECONDS}"])
        if status != 0:
            if OFFLINE.search("".join(said)):
                raise BadInput(f"packages are missing, and there is no network to fetch them; later type: {by_hand(packages)}")
            print("".join(said[-20:]), end="", file=sys.stderr)
            raise BadInput(f"the installation failed; type: {by_hand(packages)}")


def apt(command):
    """Runs apt-get and returns (status, what it said). Waits while another program, such as the system's update, uses apt: of its
    two locks apt-get itself waits only for one.
    """
    end, is_told = time.monotonic() + LOCK_SECONDS, False
    while True:
        said = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as process:
            for line in process.stdout:
                said.append(line)
                if not is_told and LOCKED.search(line):
                    is_told = True
                    print(f"Another program is installing packages; this one waits for it, up to {LOCK_SECONDS // 60} minutes.",
                          file=sys.stderr, flush=True)
        if process.returncode == 0 or not any(map(LOCKED.search, said)) or time.monotonic() > end:
            return process.returncode, said
        time.sleep(LOCK_PAUSE)


def has_module(name):
    return importlib.util.find_spec(name) is not None


def system_has(module):
    return Path(SYSTEM_PYTHON).exists() and subprocess.run(
        [SYSTEM_PYTHON, "-c", f"import {module}"], capture_output=True).returncode == 0


def use_python_with(module):
    """Continues in the system's python3 if it has the module and this one, the first on PATH, does not."""
    if has_module(module) or sys.executable == SYSTEM_PYTHON or not system_has(module):
        return
    sys.stdout.flush()
    words = Path("/proc/self/cmdline").read_bytes().split(b"\0")[1:-1]  # with the interpreter's own options
    os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON.encode(), *words])


def without_module(module):
    """Returns the package of a Python module, if neither this Python nor the system's has it."""
    return [] if has_module(module) or system_has(module) else [f"python3-{module}"]


def need(module):
    """Continues in a Python that has the module. Installs its package first if none has it."""
    install(without_module(module))
    importlib.invalidate_caches()
    use_python_with(module)
    if not has_module(module):
        raise BadInput(f"{sys.executable} has no module {module}; type: {sys.executable} -m pip install {module}")


def add_arguments(parser):
    """Adds the arguments of python3 common/tools tools.packages, which makes a container."""
    parser.add_argument("kinds", metavar="KIND", nargs="+", choices=list(KINDS), help="whose packages: cpu, gpu or docs")


def run(options):
    install(list(dict.fromkeys(package for kind in options.kinds for package in KINDS[kind]())))
