"""Several processes of steps 08 and 11: the same bits whatever their number, an end when one of them dies, and snapshots that they read and
write together, and which stay whole when one is killed.

Arguments: mpirun, the programs of steps 08 and 11.
"""

import contextlib
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from unittest import mock

from common.tests.tools.case import HANG, InFolder, wait_until

MPIRUN, PROGRAM, TREE = (sys.argv.pop(1) for _ in range(3))
ALONE = ("--steps", "0", "--no-check", "--no-measure")  # the files are what matters
SIZE = {"gas": 12, "dark": 9, "star": 11}  # numbers of a body


def on_ranks(number, *arguments, program=PROGRAM):
    return [MPIRUN, "-np", str(number), program, *arguments]


def process_of_rank(rank, parent):
    """The process that mpirun, process `parent`, made that rank; None where it is not there yet."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            ours = f"PPid:\t{parent}\n" in (folder / "status").read_text()
            if ours and f"OMPI_COMM_WORLD_RANK={rank}" in (folder / "environ").read_text().split("\0"):
                return int(folder.name)
        except OSError:
            pass  # it ended meanwhile
    return None


class RanksTest(InFolder):
    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def run_on(self, number, *arguments, program=PROGRAM, **more):
        return subprocess.run(on_ranks(number, *arguments, program=program), cwd=self.folder, capture_output=True, text=True,
                              timeout=HANG, **more)

    def succeed(self, *arguments, **more):
        """Runs it as run_on() does, and it must succeed."""
        ended = self.run_on(*arguments, **more)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def reported(self, *arguments, **more):
        """Returns the report of a run that succeeds."""
        self.succeed(*arguments, "--json", "report.json", **more)
        return json.loads((self.folder / "report.json").read_text())

    def expect_line(self, ended, line, name="08_many_gpus"):
        """Bad input: one line of the program's and exit status 2."""
        self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertEqual([text for text in ended.stderr.splitlines() if text.startswith(name)], [f"{name}: {line}"])


class Ranks(RanksTest):
    def test_the_same_bits_from_any_number_by_ordered(self):
        found = set()
        for exchange, number in (("gather", 1), ("gather", 3), ("ring", 2), ("ring", 5)):
            name = f"{exchange}{number}.tipsy"
            self.succeed(number, "--exchange", exchange, "--ordered", "--bodies", "1003", "--steps", "3", "--output", name)
            found.add(self.bytes_of(name))
        self.assertEqual(len(found), 1)

    def ends_of(self, numbers, *arguments, **more_of_run):
        """The last snapshots of a whole run, and of one in two halves. numbers: ranks of the whole run and of each half"""
        for number, more in zip(numbers, (("--bodies", "200", "--steps", "20", "--output", "whole.tipsy"),
                                          ("--bodies", "200", "--steps", "10", "--output", "half.tipsy"),
                                          ("--input", "half.tipsy", "--steps", "10", "--output", "rest.tipsy"))):
            self.succeed(number, *arguments, "--dt", "0.01", *more, **more_of_run)
        return self.bytes_of("whole.tipsy"), self.bytes_of("rest.tipsy")

    def test_a_run_goes_on_from_its_snapshot_on_another_number_of_ranks(self):
        self.assertEqual(*self.ends_of((2, 3, 5), "--ordered", "--no-check"))

    def test_a_run_by_tree_goes_on_on_another_number_of_ranks(self):
        whole, rest = self.ends_of((2, 8, 3), "--opening", "distance", "--theta", "0.001", program=TREE)
        self.assertEqual(len(whole), len(rest))
        head = 32  # the file's; then floats
        for one, other in zip(struct.iter_unpack("<f", whole[head:]), struct.iter_unpack("<f", rest[head:])):
            # Rounding of 20 steps: the order of sums differs.
            self.assertLessEqual(abs(one[0] - other[0]), 1e-4)

    def test_trees_of_ranks_have_the_errors_of_one_tree(self):
        errors = {}
        for number in (1, 5):
            run, = self.reported(number, "--bodies", "4096", "--steps", "0", program=TREE)["runs"]
            errors[number] = run["error"]
            self.assertEqual(run["error"]["evaluation"], 2)
            self.assertEqual(run["parameters"]["theta"], 0.5)
        # A percentile of 4,096 bodies moves by up to a tenth with the groups that they are in.
        self.assertLessEqual(errors[5]["median"], 1.1 * errors[1]["median"])
        self.assertLessEqual(errors[5]["p99"], 1.15 * errors[1]["p99"])

    def test_the_report_says_how_bodies_travel_and_how_many_ranks_there_are(self):
        document = self.reported(3, "--bodies", "300", "--link")
        self.assertTrue(document["device"]["name"].startswith("3 x "), document["device"]["name"])
        run = document["runs"][0]
        self.assertIn("MPI", run["settings"]["bodies_travel_by"])
        self.assertEqual(run["metrics"]["ranks"], 3)
        self.assertNotIn("parts_ms", run)  # the executor's times, of messages too, are no performance

    def test_bad_input_is_one_line_of_rank_0(self):
        for arguments, line in (
                (["--exchange", "pairs", "--ordered"], "--ordered: --exchange gather and ring have an order, not pairs"),
                (["--exchange", "tree"], "--exchange: must be gather, ring or pairs, not 'tree'")):
            self.expect_line(self.run_on(3, *arguments), line)
        self.expect_line(self.run_on(3, "--theta", "0", program=TREE), "--theta: must be from 0.001 to 1.5, not '0'",
                         "11_distributed_tree")

    def test_what_rank_0_alone_finds_out_ends_the_run_on_all(self):
        """A recording that fails does not even end it: every rank goes on to the last step."""
        ended = self.run_on(5, "--bodies", "300", "--steps", "4", "--trajectory", "/dev/full", "--output", "o.tipsy")
        self.expect_line(ended, "cannot write /dev/full: No space left on device")
        self.assertTrue((self.folder / "o.tipsy").exists())
        ended = self.run_on(3, "--bodies", "300", "--steps", "4", "--dt", "1e30", "--movie", "m.html")
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertRegex(ended.stderr, r"(?m)^08_many_gpus: the position or velocity of body \d+ .*became NaN or infinite: the time")
        ended = self.run_on(3, "--bodies", "300", "--steps", "0", "--output", "missing/o.tipsy")
        self.assertRegex(ended.stderr, "(?m)^08_many_gpus: cannot write missing/o.tipsy: ")
        self.assertEqual(ended.returncode, 2)

    def test_a_rank_that_all_bodies_have_left_counts_nothing(self):
        found = []
        for number in (1, 2):  # the second has one cell sent, and nothing to walk for
            metrics = self.reported(number, "--bodies", "3", "--leaf", "2", "--group", "2", "--theta", "0.3", "--steps", "0",
                                    program=TREE)["runs"][0]["metrics"]
            found.append((metrics["nodes_a_body"], metrics["sources_a_body"]))
        self.assertEqual(metrics["busiest_rank"], 2)
        self.assertEqual(*found)

    def test_a_rank_that_dies_ends_the_run_and_is_named(self):
        process = subprocess.Popen(on_ranks(3, "--bodies", "2000", "--steps", "1000000", "--no-check"),
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            while (victim := process_of_rank(2, process.pid)) is None:
                self.assertIsNone(process.poll())
                time.sleep(0.05)
            time.sleep(1)  # it is among its steps
            os.kill(victim, signal.SIGKILL)
            text, _ = process.communicate(timeout=HANG)
        finally:
            process.kill()
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(" ".join(text.split()), "process rank 2 .* signal 9")


def tipsy(bodies, order="<", count=None):
    """A file of (kind, mass, place) in that order; the other numbers follow from them."""
    kinds = [sum(kind == name for kind, _, _ in bodies) for name in SIZE]
    numbers = [number for kind, mass, x in bodies
               for number in (mass, x, x / 2, -x, x / 8, 0, 1, *[0.0] * (SIZE[kind] - 7))]
    return (struct.pack(f"{order}d6i", 0.5, count or len(bodies), 3, *kinds, 0)
            + struct.pack(f"{order}{len(numbers)}f", *numbers))


MIXED = [(kind, 0.25 + k % 3, 1.5 * k) for kind, many in (("gas", 7), ("dark", 30), ("star", 14)) for k in range(many)]


class Files(RanksTest):
    def written_by_one_process(self, name, *arguments):
        """The file that the shared writer of all steps makes: a pipe's bytes all come from rank 0."""
        os.mkfifo(self.folder / name)
        found = []
        reader = threading.Thread(target=lambda: found.append(self.bytes_of(name)))
        reader.start()
        self.succeed(2, *ALONE, *arguments, "--output", name)
        reader.join()
        return found[0]

    def on_two_hosts(self, *arguments_of_the_second):
        """A file that only the first host has."""
        (self.folder / "elsewhere").mkdir()
        (self.folder / "here.tipsy").write_bytes(tipsy(MIXED))
        here, elsewhere = ([*("-np", "1", "--wdir"), folder, PROGRAM] for folder in (self.folder, self.folder / "elsewhere"))
        return subprocess.run([MPIRUN, *here, "--input", "here.tipsy", *ALONE, ":", *elsewhere, *arguments_of_the_second],
                              capture_output=True, text=True, timeout=HANG)

    def test_a_file_that_only_another_host_lacks(self):
        self.expect_line(self.on_two_hosts("--input", "here.tipsy", *ALONE),
                         "rank 1: cannot read here.tipsy: No such file or directory")

    def test_ranks_with_other_arguments_than_rank_0(self):
        self.expect_line(self.on_two_hosts(*ALONE), "rank 1 was started with other arguments than rank 0")

    def test_any_number_of_ranks_writes_what_one_process_does(self):
        for ending, numbers in (("tipsy", (1, 5)), ("std", (3,))):
            expected = self.written_by_one_process(f"pipe.{ending}", "--bodies", "1003")
            self.assertEqual(len(expected), 32 + 1003 * 36)
            for number in numbers:
                self.succeed(number, *ALONE, "--bodies", "1003", "--output", f"{number}.{ending}")
                self.assertEqual(self.bytes_of(f"{number}.{ending}"), expected, (ending, number))
        self.assertEqual(len(list(self.folder.iterdir())), 5)  # no other file is left

    def test_any_number_of_ranks_reads_bodies_of_all_kinds(self):
        for order, name, numbers in (("<", "little.tipsy", (1, 5)), (">", "big.std", (2,))):
            (self.folder / name).write_bytes(tipsy(MIXED, order))
            for number in numbers:
                self.succeed(number, "--input", name, *ALONE, "--softening", "0.25", "--output", "o.tipsy")
                dark = struct.unpack_from("<459f", self.bytes_of("o.tipsy"), 32)
                self.assertEqual(dark[::9], tuple(mass for _, mass, _ in MIXED), (name, number))
                self.assertEqual(dark[1::9], tuple(x for _, _, x in MIXED))
                self.assertEqual(set(dark[7::9]), {0.25})

    def test_forces_of_bodies_that_were_read_are_right_be_their_masses_equal_or_not(self):
        equal = [("dark", 0.5, x) for _, _, x in MIXED]
        for bodies in (MIXED, equal):
            (self.folder / "i.tipsy").write_bytes(tipsy([(kind, mass, x + 0.1 * k) for k, (kind, mass, x) in enumerate(bodies)]))
            self.succeed(3, "--input", "i.tipsy", "--exchange", "pairs", "--steps", "2")

    def test_bodies_in_other_units_take_the_same_path(self):
        # Powers of two, so that every number is the same except for its exponent.
        def end(length, mass, exchange):
            L, M, T = 2.0**length, 2.0**mass, 2.0**((3 * length - mass) // 2)
            numbers = [number for k in range(40)
                       for number in (M * (1 + k % 3), L * k, L * (k % 7), 0, 0, L / T * (k % 2), 0, 0, 0)]
            (self.folder / "i.tipsy").write_bytes(struct.pack("<d6i", 0, 40, 3, 0, 40, 0, 0) + struct.pack("<360f", *numbers))
            own = {"program": TREE} if exchange == "tree" else {}
            self.succeed(3, "--input", "i.tipsy", *([] if own else ["--exchange", exchange, "--ordered"]), "--steps", "3",
                         "--dt", repr(T / 64), "--softening", repr(L / 16), "--output", "o.csv", **own)
            units = (L, L, L, L / T, L / T, L / T, M)
            lines = (self.folder / "o.csv").read_text().splitlines()[1:]
            return [[float(word) / unit for word, unit in zip(line.split(","), units)] for line in lines]

        self.assertEqual(end(56, 90, "ring"), end(0, 0, "ring"))
        for found, expected in zip(end(56, 90, "tree"), end(0, 0, "tree")):
            for number, other in zip(found, expected):
                self.assertAlmostEqual(number, other, 5)

    def test_damaged_files_get_the_line_that_one_process_says(self):
        def changed(at, **what):
            kind, mass, x = MIXED[at]
            return tipsy([*MIXED[:at], (kind, what.get("mass", mass), what.get("x", x)), *MIXED[at + 1:]])

        for number, content, why in (
                (3, changed(40, x=float("nan")), "body 40: its x is not a number"),
                (1, changed(50, x=1e30), "softening: 0.01 is too short for bodies as far out as 1.26765e+30: in single "
                                     "precision it must be at least 1.4e-20 of that"),
                (2, tipsy(MIXED)[:-5], "truncated: its header's 7 gas, 30 dark and 14 star bodies need 2064 bytes, the file "
                                    "has 2059"),
                (2, tipsy(MIXED[:1]), "it holds one body, on which there is no force to compute"), (2, b"", "it is empty")):
            (self.folder / "i.tipsy").write_bytes(content)
            (self.folder / "o.tipsy").write_bytes(b"old")
            ended = self.run_on(number, "--input", "i.tipsy", *ALONE, "--output", "o.tipsy")
            self.expect_line(ended, f"cannot read i.tipsy: {why}")
            self.assertEqual((self.bytes_of("i.tipsy"), self.bytes_of("o.tipsy")), (content, b"old"))

    def begin(self, *shell):
        """A run on three ranks of many steps, once it has written its first snapshot; o.tipsy is there from before."""
        (self.folder / "o.tipsy").write_bytes(b"old")
        words = ("--bodies", "2000", "--steps", "1000000", "--no-check", "--output", "o.tipsy", "--snapshot-every", "5",
                 "--ordered", "--dt", "0.001")
        process = subprocess.Popen([MPIRUN, "-np", "3", *shell, PROGRAM, *words], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        wait_until(lambda: (self.folder / "o-000005.tipsy").exists() or process.poll() is not None)
        self.assertIsNone(process.poll())
        return process

    def limit_files(self, process, rank, size):
        """From now on that rank writes no more than the first bytes of a file."""
        resource.prlimit(process_of_rank(rank, process.pid), resource.RLIMIT_FSIZE, (size, size))

    def expect_whole_snapshots(self):
        """Only whole ones, and from the last the run goes on, on another number of ranks."""
        self.assertEqual(self.bytes_of("o.tipsy"), b"old")
        whole = sorted(path.name for path in self.folder.glob("o-*.tipsy"))
        self.assertEqual({len(self.bytes_of(name)) for name in whole}, {32 + 2000 * 36})
        more = ("--no-check", "--dt", "0.001", "--ordered", "--steps", "5", "--output")
        self.succeed(2, "--input", whole[-1], *more, "rest.tipsy")
        self.succeed(5, "--input", whole[-1], *more, "again.tipsy")
        self.assertEqual(self.bytes_of("rest.tipsy"), self.bytes_of("again.tipsy"))

    def test_a_rank_that_is_killed_while_it_writes_leaves_whole_files(self):
        # CTest lets mpirun kill all ranks at once. Here rank 0 has mpirun's usual second to remove its file.
        with mock.patch.dict(os.environ, {"OMPI_MCA_odls_base_sigkill_timeout": "1"}):
            process = self.begin()
        self.limit_files(process, 1, 1000)  # its part begins beyond: the signal ends it as it writes
        process.communicate(timeout=HANG)
        self.assertNotEqual(process.returncode, 0)
        # mpirun ended rank 0, which removed its file. Each rank's MPI_File_open also tries a lock for an instant, in a file that ends
        # in .locktest.0. This file stays if mpirun kills a rank in that instant, while the first rank already dies of its part.
        self.assertEqual([path for path in self.folder.glob("*.partial-*") if ".locktest." not in path.name], [])
        self.expect_whole_snapshots()

    def test_killed_at_any_time_whole_files_are_left(self):
        process = self.begin()
        time.sleep(0.5)
        for victim in [process_of_rank(rank, process.pid) for rank in (0, 1, 2)]:
            with contextlib.suppress(ProcessLookupError):  # mpirun may have been faster
                os.kill(victim, signal.SIGKILL)
        process.communicate(timeout=HANG)
        self.expect_whole_snapshots()

    def test_a_rank_that_cannot_write_on_ends_the_run_with_a_line(self):
        for rank, size in ((2, 1000), (1, 30000)):  # before its part and within
            process = self.begin("sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\"")
            self.limit_files(process, rank, size)
            _, said = process.communicate(timeout=HANG)
            self.assertEqual(process.returncode, 2, said)
            self.assertRegex(said, rf"08_many_gpus: cannot write o-\d+\.tipsy: rank {rank}: MPI_File_write_at: ")
            self.assertEqual(list(self.folder.glob("*.partial-*")), [])
            for path in self.folder.glob("o-*"):
                self.assertEqual(len(self.bytes_of(path.name)), 32 + 2000 * 36)
                path.unlink()
            self.assertEqual(self.bytes_of("o.tipsy"), b"old")
