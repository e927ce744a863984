"""The library: the example of each language, the same bits as the programs, what a method keeps, bad input. The argument is a build
folder. Called as a module by itself, it does not test but measure on a GPU, as docs/pages/library.md says.
"""

import atexit
import ctypes
import importlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from common.base.command_line import ROOT
from common.tests.tools.case import needs
from common.tools import packages
from common.tools.build import step_names

BUILD = Path(sys.argv.pop(1)).resolve()
packages.use_python_with("numpy")
EXAMPLES = ROOT / "common" / "library" / "examples"
SOFTENING = 0.0625
TIME_STEP = 2.0**-40  # so short that no body moves, and a power of two: velocities are then accelerations, bit for bit
# With these, sums repeat bit for bit.
OPTIONS = {"04_multithread_per_body": {"blocks_per_body": 1}, "04_tuned": {"blocks_per_body": 1},
           "05_triangular_map": {"reduction": "ordered"}, "07_tuned": {"opening": "relative"}, "09_tensor_cores": {"ordered": True},
           "09_tuned": {"ordered": True}, "10_fast_multipole": {"order": 4}}


def install():
    """Installs the library, and imports it. On the executor it has all methods then."""
    global np, nl, prefix, gpu
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    prefix = Path(folder.name)
    subprocess.run(["cmake", "--install", BUILD, "--component", "library", "--prefix", prefix], check=True,
                   stdout=subprocess.DEVNULL)
    os.environ["NBODY_LADDER_EXECUTOR"] = "1"
    sys.path.insert(0, str(prefix / "lib" / "python"))
    np, nl = importlib.import_module("numpy"), importlib.import_module("nbody_ladder")
    try:
        nl.Method("tiled", softening=1)
        gpu = "NBODY_BACKEND:STRING=gpu" in (BUILD / "CMakeCache.txt").read_text()
    except nl.Error:  # a build for GPUs without one
        gpu = None


def setUpModule():
    if not packages.has_module("numpy"):
        raise unittest.SkipTest("python3-numpy missing")
    install()


def usable(precision, of=None):
    return [name for name, about in nl.methods().items()
            if precision in about["precisions"] and not (about["needs_gpu"] and gpu is None) and (of is None or name in of)]


def run(name, *arguments):
    program = next(path for path in BUILD.glob(f"*/{name}") if path.is_file())
    words = [program, *map(str, arguments), "--softening", str(SOFTENING), "--no-check"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def words(name):
    options = [(option.replace("_", "-"), value) for option, value in OPTIONS.get(name, {}).items()]
    return [word for option, value in options for word in ([f"--{option}"] if value is True else [f"--{option}", value])]


def by_program(name, folder, bodies):
    """(positions, masses, the velocities after a time step) of bodies at rest."""
    start, end = folder / "start.tipsy", folder / "end.tipsy"
    run(name, "--scene", "cube", "--bodies", bodies, "--steps", 0, "--no-measure", "--output", start)
    run(name, "--input", start, "--steps", 1, "--dt", TIME_STEP, "--no-measure", "--output", end, *words(name))
    at, then = (np.frombuffer(file.read_bytes()[32:], "<f4").reshape(-1, 9) for file in (start, end))
    return at[:, 1:4].copy(), at[:, 0].copy(), then[:, 4:7]


def by_method(method, positions, masses, on_host=lambda array: array.copy()):
    """These velocities: half a kick before the bodies move, and one after."""
    half = np.float32(TIME_STEP / 2)
    return on_host(method(positions, masses)) * half + on_host(method(positions, masses)) * half


class Examples(unittest.TestCase):
    def prints(self, expected, *command, **environment):
        environment = {**os.environ, **environment}
        found = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, universal_newlines=True)
        self.assertEqual(found.stdout, expected + "\n")

    def python(self, module, expected):
        if not packages.has_module(module):
            self.skipTest("python3-numpy missing" if module == "numpy" else f"no {module}")
        if module != "numpy" and not gpu:
            self.skipTest("no GPU")
        self.prints(expected, sys.executable, "-B", EXAMPLES / f"{module}_forces.py", PYTHONPATH=str(prefix / "lib" / "python"))

    @needs("pkg-config", "cc")
    def test_c(self):
        # Types the lines of the page.
        page = (ROOT / "docs" / "pages" / "library.md").read_text()
        script = page[page.index("export PKG_CONFIG_PATH"):].split("```")[0].replace("~/.local", str(prefix))
        shutil.copy(EXAMPLES / "forces.c", prefix)
        subprocess.run(["cc", "-Wall", "-Werror", "-std=c99", "-pedantic", "-fsyntax-only", f"-I{prefix}/include", "forces.c"],
                       cwd=prefix, check=True)
        self.prints("0.4999 -0.4999", "sh", "-ec", f"cd {prefix}; {script}")

    def test_cpp(self):
        (prefix / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.22)\nproject(example LANGUAGES CXX)\nfind_package(nbody_ladder REQUIRED)\n"
            f"add_executable(example {EXAMPLES}/forces.cpp)\ntarget_link_libraries(example nbody_ladder::nbody_ladder)\n")
        for arguments in (["-S", prefix, "-B", prefix / "b", f"-DCMAKE_PREFIX_PATH={prefix}"], ["--build", prefix / "b"]):
            subprocess.run(["cmake", *arguments], check=True, stdout=subprocess.DEVNULL)
        self.prints("median error 1e-04, 1000 bodies compared", prefix / "b" / "example")

    def test_numpy(self):
        self.python("numpy", "ndarray (10000, 3) median error 6e-05")

    def test_cupy(self):
        self.python("cupy", "ndarray (1048576, 3) median error below 1e-3: True")

    def test_torch(self):
        self.python("torch", "Tensor (65536, 3) momentum below 1e-4: True")


class Forces(unittest.TestCase):
    def test_every_method_gives_the_bits_of_its_program(self):
        for name in usable("fp32"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                if name != "reference":
                    positions, masses, expected = by_program(name, Path(folder), 700)
                    method = nl.Method(name, softening=SOFTENING, **OPTIONS.get(name, {}))
                    np.testing.assert_array_equal(by_method(method, positions, masses), expected)

    def test_methods_are_the_programs(self):
        self.assertEqual({name[:2] for name in nl.methods() if name[0].isdigit()}, {name[:2] for name in step_names()} - {"08", "11"})

    def test_double_precision_and_potentials(self):
        positions, masses = np.random.default_rng(1).standard_normal((300, 3)), np.full(300, 1 / 300)
        r = positions[:, None] - positions
        each = masses / np.sqrt((r * r).sum(2) + SOFTENING**2)
        potentials = np.empty(300)
        expected = nl.accelerations(positions, masses, softening=SOFTENING, method="reference", potentials=potentials)
        np.testing.assert_allclose(potentials, -(each - np.diag(np.diag(each))).sum(1), rtol=1e-12)
        np.testing.assert_allclose(expected, -(each[..., None] ** 3 * r / masses[0] ** 2).sum(1), rtol=1e-9)
        for name in usable("fp64"):
            found = nl.accelerations(positions, masses, softening=SOFTENING, method=name)
            error = nl.error(positions, masses, found, softening=SOFTENING)
            self.assertLess(error["median"], 1e-12 if name < "06" else 1e-3, name)


class Units(unittest.TestCase):
    """Bodies in many units: lengths over 36 decades, masses over 53."""

    def setUp(self):
        random = np.random.default_rng(3)
        cluster = random.standard_normal((400, 3))
        heavy, far = cluster.copy(), np.full(400, 1e-3 / 400)
        heavy[3], far[3] = 0.1, 1  # a heavy body
        heavy[5] = 1e9, -3e8, 2e8  # a light one, far out
        self.systems = {"cluster": (cluster, np.full(400, 1 / 400)), "heavy": (heavy, far)}

    def bodies(self, system, length, mass, kind):
        positions, masses = self.systems[system]
        return (positions * length).astype(kind), (masses * mass).astype(kind)

    def check(self, name, kind, system, length, mass):
        positions, masses = self.bodies(system, length, mass, kind)
        r = positions.astype("f8") - positions.astype("f8")[:, None]
        each = masses / ((r * r).sum(2) + (0.01 * length)**2)**1.5
        expected = (each[..., None] * r).sum(1)
        found = nl.accelerations(positions, masses, softening=0.01 * length, method=name)
        errors = np.linalg.norm(found - expected, axis=1) / np.linalg.norm(expected, axis=1)
        self.assertLess(errors.max(), 0.03 if name[:2] in ("06", "07", "10", "ho") else 1e-4, (name, kind, system, length, mass))

    def test_accelerations_are_right_in_any_units(self):
        for name in usable("fp32"):
            for units in ((4.5e12, 2e30), (1e-15, 1e-15), (1, 1e15)):
                for system in self.systems:
                    self.check(name, "f4", system, *units)
            self.check(name, "f4", "cluster", 1e21, 1e38)
        for name in usable("fp64"):
            self.check(name, "f8", "heavy", 1e-15, 1e30)
            self.check(name, "f8", "heavy", 1e90, 1e180)

    def test_accelerations_that_arrays_cannot_hold_are_an_error(self):
        for name in usable("fp32", {"simd", "host_tree", "reference", "02_tiled", "07_tuned", "10_fast_multipole", "10_tuned"}):
            method = nl.Method(name, softening=1e-17)
            with self.assertRaisesRegex(nl.Error, "^accelerations: those of 400 of 400 bodies are too large for single precision"):
                method(*self.bodies("cluster", 1e-15, 1e15, "f4"))
            self.assertTrue(np.isfinite(method(*self.bodies("cluster", 1e-15, 1e-15, "f4"))).all())  # the method is as it was
            with self.assertRaisesRegex(nl.Error, "^accelerations: those of 400 of 400 bodies are too small for single precision"):
                nl.accelerations(*self.bodies("cluster", 1e15, 1e-15, "f4"), softening=1e13, method=name)
            if name != "reference":  # which computes in FP64
                with self.assertRaisesRegex(nl.Error, "^softening: 1e-17 is too short for bodies as far out as "):
                    method(*self.bodies("cluster", 1e5, 1, "f4"))

    def test_a_method_follows_bodies_into_other_units(self):
        for name in usable("fp32", {"simd", "host_tree", "02_tiled", "07_device_tree", "10_fast_multipole"}):
            method = nl.Method(name, softening=1)
            for length in (1, 100, 1e7, 1e15, 1):
                bodies = self.bodies("cluster", length, length**2, "f4")
                expected = nl.accelerations(*bodies, softening=1, method="reference")
                errors = np.linalg.norm(method(*bodies) - expected, axis=1) / np.linalg.norm(expected, axis=1)
                self.assertLess(errors.max(), 0.03, (name, length))


class Calls(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(2)
        self.positions, self.masses = self.bodies(500)

    def bodies(self, count, equal=False):
        masses = np.ones(count) if equal else self.random.uniform(1, 2, count)
        return self.random.standard_normal((count, 3)).astype("f4"), masses.astype("f4")

    def test_bodies_may_become_more_or_less_and_their_masses_equal(self):
        for name in usable("fp32", {"05_triangular_map", "10_fast_multipole", "host_tree"}):
            method = nl.Method(name, softening=SOFTENING)
            for count, equal in ((500, False), (500, True), (1, True), (900, True), (900, False), (2, False)):
                bodies = self.bodies(count, equal)
                found, expected = method(*bodies), nl.accelerations(*bodies, softening=SOFTENING, method="simd")
                self.assertLess(np.abs(found - expected).max(), 0.01 * (np.abs(expected).max() + 1e-9), (name, count, equal))

    def test_arrays_with_dlpack(self):
        class Other:
            """An array of a package that nobody knows."""

            def __init__(self, array):
                self.array, self.__dlpack__, self.__dlpack_device__ = array, array.__dlpack__, array.__dlpack_device__

            def __array_namespace__(self):
                return self

            def empty_like(self, like):
                return Other(np.empty_like(like.array))

        found, expected = (nl.accelerations(kind(self.positions), kind(self.masses), softening=1, method="simd")
                           for kind in (Other, np.array))
        np.testing.assert_array_equal(found.array, expected)

    def test_two_threads_with_one_method(self):
        bodies, said = self.bodies(10000), []
        method = nl.Method("simd", softening=SOFTENING)

        def call():
            for _ in range(5):
                try:
                    method(*bodies)
                except nl.Error as error:
                    said.append(str(error))

        threads = [threading.Thread(target=call) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual({*said}, {"method: another thread is using it; make a method for each thread"})

    def test_two_threads_with_two_methods(self):
        found, methods = [None, None], [nl.Method(name, softening=SOFTENING) for name in ("simd", usable("fp32")[0])]

        def call(k):
            for _ in range(5):
                found[k] = methods[k](self.positions, self.masses)

        threads = [threading.Thread(target=call, args=(k,)) for k in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        np.testing.assert_allclose(*found, rtol=0.01, atol=0.01)

    def test_other_bodies_are_as_for_a_new_method(self):
        for name in usable("fp32", {"07_tuned", "10_tuned", "02_tiled"}):
            options = {"opening": "relative"} if name == "07_tuned" else {}
            first, last = self.bodies(700), self.bodies(700)
            order = self.random.permutation(700)
            fresh = lambda bodies: nl.accelerations(*bodies, softening=SOFTENING, method=name, **options)
            method = nl.Method(name, softening=SOFTENING, **options)
            method(*first), method(*first)
            for bodies in ((first[0][order], first[1][order]), last, (last[0] * 100, last[1])):
                np.testing.assert_array_equal(method(*bodies), fresh(bodies), name)
            method.forget()
            np.testing.assert_array_equal(method(*last), fresh(last), name)
            # Bodies that move keep their last accelerations. With few bodies, these change no decision of step 10.
            if name != "02_tiled":
                many = self.bodies(4000)
                moved = (many[0] + np.float32(0.001), many[1])
                method(*many)
                self.assertFalse((method(*moved) == fresh(moved)).all(), name)

    def test_reserve(self):
        for name in usable("fp32"):
            method = nl.Method(name, softening=SOFTENING, **OPTIONS.get(name, {}))
            method.reserve(500)
            found = method(self.positions, self.masses)
            np.testing.assert_array_equal(found, nl.accelerations(self.positions, self.masses, softening=SOFTENING, method=name,
                                                                  **OPTIONS.get(name, {})), name)
            with self.assertRaisesRegex(nl.Error, "^positions: 0 bodies"):
                method.reserve(0)

    def test_a_forked_child_is_told_to_be_spawned(self):
        if gpu is None:
            self.skipTest("no GPU")
        lines = ("import os, sys, numpy as np, nbody_ladder as nl", "p, m = np.eye(3, dtype='f4'), np.ones(3, 'f4')",
                 "def call(name): nl.accelerations(p, m, softening=1, method=name)", "kept = nl.Method('tiled', softening=1)",
                 "call('tiled'); kept(p, m)", "if os.fork(): sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))",
                 "call('simd')", "for work in (lambda: call('tiled'), lambda: kept(p, m)):", "    try: work()",
                 "    except nl.Error as error: print(error, flush=True)", "del kept")
        ended = subprocess.run([sys.executable, "-c", "\n".join(lines)], stdout=subprocess.PIPE, universal_newlines=True, timeout=60,
                               env={**os.environ, "PYTHONPATH": str(prefix / "lib" / "python")})
        self.assertEqual((ended.returncode, ended.stdout.count("forked"), ended.stdout.count("spawn")), (0, 2, 4), ended.stdout)

    def refused(self, why, positions=None, masses=None, **more):
        out = more.pop("out", np.full((500, 3), 7, "f4"))
        positions = self.positions if positions is None else positions
        masses = self.masses if masses is None else masses
        with self.assertRaisesRegex(nl.Error, why):
            nl.accelerations(positions, masses, out=out, **{"method": "simd", "softening": 1, **more})
        self.assertTrue((out == 7).all())

    def test_bad_bodies_are_refused_and_nothing_is_written(self):
        def changed(array, place, value):
            other = array.copy()
            other[place] = value
            return other

        for method in usable("fp32", {"simd", "reference", "02_tiled", "10_fast_multipole"}):
            for value in (np.nan, np.inf, -np.inf):
                self.refused("^positions: body 17 has ", changed(self.positions, (17, 1), value), method=method)
            for value in (np.nan, np.inf, -1):
                self.refused("^masses: body 17 has ", masses=changed(self.masses, 17, value), method=method)
            self.refused("^masses: all of them are 0", masses=0 * self.masses, method=method)
            for softening in (0, -1, np.nan, None):
                self.refused("^softening: must be ", softening=softening, method=method)

    def test_other_bad_input(self):
        p, m, tree = self.positions, self.masses, {"method": "host_tree"}
        for why, *arrays, more in (
                (r"^positions: the shape must be \(N, 3\), not \(500, 2\)", p[:, :2], {}),
                (r"^positions: .*, not \(0, 3\)", p[:0], {}),
                (r"^masses: the shape must be \(500,\), not \(499,\)", p, m[1:], {}), ("^positions: give an array", p.tolist(), {}),
                ("^positions: a masked array", np.ma.masked_array(p), {}), ("^masses: a masked array", p, np.ma.masked_array(m), {}),
                (r"^out: the shape must be \(500, 3\)", {"out": np.full((499, 3), 7, "f4")}),
                ("^positions: the numbers do not follow each other", np.asfortranarray(p), {}),
                ("^positions: the numbers must be float32 or float64, not int64", p.astype(int), {}),
                ("^positions: the numbers must be float32 or float64, not >f4", p.astype(">f4"), {}),
                ("^masses: the numbers must be float32, not float64", p, m.astype(float), {}),
                ("^method: simd does not compute in double", p.astype(float), m.astype(float), {"out": np.full((500, 3), 7.0)}),
                ("^method: there is no 'sum'; there are .*01_naive", {"method": "sum"}),
                ("^method: 'tuned' is one of 0.*give its number", {"method": "tuned"}),
                ("^host_tree has no option 'thet'; it has theta, ", {**tree, "thet": 1}),
                ("^theta: must be from 0.001 to 1.5, not '2'", {**tree, "theta": 2}),
                ("^potentials: host_tree has none; reference has", {**tree, "potentials": np.empty(500, "f4")})):
            self.refused(why, *arrays, **more)
        out = np.full((500, 3), 7, "f4")
        out.flags.writeable = False
        self.refused("^out: .* read-only", out=out)
        self.assertEqual(nl._lib.nbody_accelerations(nl.Method("simd", softening=1)._handle, 5, *[None] * 5), 2)  # null pointers
        del os.environ["NBODY_LADDER_EXECUTOR"]
        self.addCleanup(os.environ.setdefault, "NBODY_LADDER_EXECUTOR", "1")
        if not gpu:
            self.refused("^method: 10_tuned needs a GPU: ", method="10_tuned")


CALLS = r"""
#include <nbody_ladder.h>
#include <time.h>

static double now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e6 * now.tv_sec + 1e-3 * now.tv_nsec;
}

void time_calls(nbody_method* method, long long count, const void* positions, const void* masses, void* out, int calls, double* us) {
  for (int i = 0; i < calls; ++i) {
    us[i] = -now_us();
    nbody_accelerations(method, count, positions, masses, out, 0, 0);
    us[i] += now_us();
  }
}
"""


def measure():
    """Prints for PyTorch's tensors on a GPU whether they give the program's bits, the time of a call and that of the program."""
    import torch
    install()
    (prefix / "calls.c").write_text(CALLS)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", f"-I{prefix}/include", "calls.c", "-o", "calls.so", "-Llib", "-lnbody_ladder"],
                   cwd=prefix, check=True)
    time_calls = ctypes.CDLL(str(prefix / "calls.so")).time_calls
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}")
    print(f"{'method':24}{'bodies':>9}  same bits  program us     from C, us          from Python, us", flush=True)
    for name in ("02_tiled", "04_multithread_per_body", "05_triangular_map", "07_device_tree", "09_tuned", "10_tuned"):
        for bodies in (1024, 1048576):
            with tempfile.TemporaryDirectory() as folder:
                positions, masses, expected = by_program(name, Path(folder), bodies)
                report = Path(folder) / "report.json"
                run(name, "--input", Path(folder) / "start.tipsy", "--steps", 0, "--json", report, *words(name))
                program_us = 1e3 * json.loads(report.read_text())["runs"][0]["force_ms"]["median"]
            positions, masses = (torch.from_numpy(array).cuda() for array in (positions, masses))
            method, out = nl.Method(name, softening=SOFTENING, **OPTIONS.get(name, {})), torch.empty_like(positions)
            same = (by_method(method, positions, masses, lambda array: array.cpu().numpy()) == expected).all()
            times = (ctypes.c_double * (1000 if bodies < 10000 else 20))()
            arrays = [ctypes.c_void_p(array.data_ptr()) for array in (positions, masses, out)]
            time_calls(ctypes.c_void_p(method._handle), ctypes.c_longlong(bodies), *arrays, len(times), times)
            calls_us = [statistics.median(times)]
            for k in range(len(times)):
                begin = time.perf_counter()
                method(positions, masses, out=out)
                times[k] = 1e6 * (time.perf_counter() - begin)
            calls_us.append(statistics.median(times))
            print(f"{name:24}{bodies:9,}  {'yes' if same else 'no':9}{program_us:12.1f}"
                  + "".join(f"{us:12.1f} ({us - program_us:+.1f}, {us / program_us - 1:+.1%})" for us in calls_us), flush=True)


if __name__ == "__main__":
    measure()
