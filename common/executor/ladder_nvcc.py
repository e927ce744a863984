"""ladder-nvcc: compiles CUDA programs for this machine's CPU, with nvcc's command line.

Usage: ladder-nvcc [--check] [nvcc's options] FILE...

Without a mode, a program runs fast and unchecked. With --check, it reports races, out-of-bounds accesses, reads of
uninitialised memory and mistakes in host code. Use the same mode for all steps of a build. LADDER_NVCC_MODE=check in the environment is
the same as --check.
"""

import os
import sys
import tempfile
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])

from common.executor.nvcc import arguments as command_line
from common.executor.nvcc.compile import compile_cuda, is_cuda, preprocess, refuse_others
from common.executor.nvcc.launcher import launch
from common.executor.nvcc.toolchain import (ARCHITECTURE, Toolchain, ToolError, definitions, has_thrust, is_of_toolkit,
                                             kernel_flags, link, optimisation, run, thrust_flags)

VERSION = "ladder-nvcc: CUDA 12.4's language and runtime on a CPU\nCuda compilation tools, release 12.4, V12.4.0"
OBJECTS = {".o", ".obj", ".a", ".so"}
CUDAS_OWN = {"cudart", "cudart_static", "cuda", "cudadevrt"}  # libraries that the executor replaces
STANDARDS = {"c++03": "17", "c++11": "17", "c++14": "17", "c++17": "17", "c++20": "20", "c++23": "23"}


class Driver:
    def __init__(self, toolchain, arguments):
        self.tools, self.given = toolchain, arguments
        self.mode = next((mode for mode in ("check", "plain") if mode in arguments.flags),
                         os.environ.get("LADDER_NVCC_MODE", "plain"))
        if self.mode not in ("check", "plain"):
            raise ToolError(f"LADDER_NVCC_MODE is check or plain, not '{self.mode}'")
        if compiler := arguments.last("compiler"):
            folder = Path(compiler) / "g++"
            self.tools.compiler = [str(folder if folder.exists() else compiler)]
            self.tools.plugin = ""  # it was built for another version
        if self.mode == "check" and not self.tools.plugin and not self.tools.is_clang():
            print("ladder-nvcc: note: this g++ has no plugin for the checker. So the checker does not see structs that are "
                  "passed or returned by value, unless the function is inlined. See the page \"Any CUDA program\".", file=sys.stderr)

    def architecture(self):
        text = self.given.last("architecture") or self.given.last("gencode", "") or self.given.last("code", "")
        digits = "".join(c for c in text.split(",")[0] if c.isdigit())
        return int(digits) * 10 if digits else 900

    def standard(self):
        wanted = self.given.last("standard", "c++17").replace("gnu++", "c++")
        if wanted not in STANDARDS:
            raise ToolError(f"unknown standard '{wanted}'")
        return f"-std=gnu++{STANDARDS[wanted]}"  # the executor's headers need C++17

    def preprocessor_flags(self):
        values, flags = self.given.values, []
        for name, option in (("include", "-I"), ("system", "-isystem"), ("define", "-D"), ("undefine", "-U"),
                             ("preinclude", "-include")):
            for value in values.get(name, []):
                if name not in ("include", "system") or not (is_of_toolkit(value) or has_thrust(value)):
                    flags += [option, value]
        folders = values.get("include", []) + values.get("system", [])
        return flags + self.tools.includes() + (thrust_flags(folders) or [])

    def dependency_flags(self, output):
        flags = sorted(self.given.flags & {"-MD", "-MMD", "-MP"})
        if flags:
            flags += ["-MF", self.given.last("dependencies", str(Path(output).with_suffix(".d")))]
            flags += ["-MT", self.given.last("target", str(output))]
        return flags

    def flags_of(self, cuda):
        level = self.given.last("optimise")
        flags = [self.standard(), optimisation(self.mode, f"-O{level}" if level else None)]
        flags += ["-w"] if "quiet" in self.given.flags else []
        flags += ["-g"] if "debug" in self.given.flags or self.mode != "plain" else []
        if cuda:
            flags += kernel_flags(self.mode, self.tools.is_clang(), self.tools.plugin)
            flags += definitions(self.architecture()) + ["-include", "cuda_runtime.h"]
        return [*flags, *self.preprocessor_flags(), *self.given.host]

    def compile(self, file, output, work):
        refuse_others(file, self.given.last("language"))
        cuda = is_cuda(file, self.given.last("language"))
        flags = self.flags_of(cuda) + self.dependency_flags(output)
        if cuda:
            whole = self.given.last("whole") == "true" or "device-object" in self.given.flags
            compile_cuda(self.tools.compiler, flags, file, output, work, whole, sides=True, mode=self.mode)
        else:
            language = ["-x", "c"] if Path(file).suffix == ".c" else []
            flags = [flag for flag in flags if not (language and flag.startswith("-std"))]
            run([*self.tools.compiler, *flags, *language, "-c", file, "-o", output])

    def link(self, inputs, output):
        values = self.given.values
        flags, heap = (self.tools.wrapped, [self.tools.heap]) if self.mode == "check" else ([], [])
        linker = [part for value in values.get("linker", []) for part in ("-Xlinker", value)]
        folders = [f"-L{folder}" for folder in values.get("folder", [])]
        libraries = [f"-l{name}" for name in values.get("library", []) if name not in CUDAS_OWN]
        library = self.tools.library(self.mode)
        first, last = self.tools.objects
        link([*self.tools.compiler, "-g", first, *inputs, *heap, last, *flags, *linker, *self.given.host, *folders,
              *libraries, library, *self.tools.links, "-o", output], self.given.inputs, self.mode)

    def sources(self):
        return [name for name in self.given.inputs if Path(name).suffix not in OBJECTS and ".so." not in name]

    def work(self):
        if not self.given.inputs:
            raise ToolError("no input files")
        if missing := [name for name in self.given.inputs if not Path(name).exists()]:
            raise ToolError(f"no such file: {missing[0]}")
        flags = self.given.flags
        if "preprocess" in flags or "list" in flags:
            listing = ["-MM"] if "list" in flags else []
            for name in self.sources():
                text = preprocess(self.tools.compiler, [*listing, *self.flags_of(is_cuda(name))], name,
                                  self.given.last("output"))
                sys.stdout.buffer.write(text.encode("latin-1"))
        elif flags & {"object", "device-object"}:
            if len(self.sources()) > 1 and self.given.last("output"):
                raise ToolError("-o with -c takes one file")
            self.tools.library(self.mode)  # the linker may be another program
            with tempfile.TemporaryDirectory() as folder:
                for name in self.sources():
                    self.compile(name, self.given.last("output", f"{Path(name).stem}.o"), folder)
        elif flags & {"device-link", "archive"}:
            self.link_nothing()
        else:
            self.build_program()

    def build_program(self):
        if "shared" in self.given.flags:
            raise ToolError("-shared: the executor runs programs, not libraries that are loaded")
        with tempfile.TemporaryDirectory() as folder:
            inputs = []
            for number, name in enumerate(self.given.inputs):
                if name in self.sources():
                    inputs.append(str(Path(folder) / f"{number}_{Path(name).stem}.o"))
                    self.compile(name, inputs[-1], folder)
                else:
                    inputs.append(name)
            self.link(inputs, self.given.last("output", "a.out"))

    def link_nothing(self):
        """Writes an empty object, or an archive of all objects, because device code needs no separate link here."""
        output = self.given.last("output", "a_dlink.o")
        if "archive" in self.given.flags:
            run(["ar", "rcs", self.given.last("output", "a.a"), *self.given.inputs])
        else:
            run([*self.tools.compiler, "-x", "c++", "-c", "/dev/null", "-o", output])


def describe_link(tools, output):
    """Prints what CMake's detection of nvcc looks for in the output of -v: the toolkit, and a link command with ladder-nvcc."""
    folder = tools.folder
    libraries = f'"-L{folder}"'
    includes = " ".join(f'"-I{place}"' for place in tools.folders()[:2])
    for line in (f"TOP={folder}", f"PATH={folder}:{os.environ.get('PATH', '')}", f"INCLUDES={includes}",
                 f"LIBRARIES=  {libraries}", f"cudafe++ -arch compute_{ARCHITECTURE // 10}",
                 f'"{folder}/ladder-nvcc" {libraries} -lcudadevrt -lcudart_static -o "{output}"'):
        print(f"#$ {line}", file=sys.stderr)


def main(words):
    try:
        if words[:1] == ["--launcher"]:
            return launch(words[1:])
        if words[:1] != ["--executor"]:
            raise ToolError("is started by the ladder-nvcc of a build folder or an installation")
        tools, arguments = Toolchain.read(words[1]), command_line.parse(words[2:])
        if "help" in arguments.flags:
            print(__doc__.strip())
        elif "version" in arguments.flags:
            print(VERSION)
        else:
            if arguments.flags & {"verbose", "dryrun"}:
                os.environ["LADDER_NVCC_VERBOSE"] = "1"
                describe_link(tools, arguments.last("output", "a.out"))
            Driver(tools, arguments).work()
        return 0
    except ToolError as error:
        if str(error):
            print(f"ladder-nvcc: {error}", file=sys.stderr)
        return error.status
    except OSError as error:
        # A file without a name is a temporary one.
        print(f"ladder-nvcc: {error.filename or tempfile.gettempdir()}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
