"""g++ 11, Ubuntu 22.04's, reads the sources without a warning: the executor's runtime, bodies, diagnosis, the driver. It
compiles nothing, which would take minutes. The build folder is the argument."""

import concurrent.futures
import json
import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

from common.tests.tools.case import needs

BUILD = Path(sys.argv.pop(1))
COMPILER = "g++-11"
# Many sources in each: the headers are read once. Not what CLI11 and the JSON library fill, which takes longest.
READ = re.compile(r"/(nbody_common|nbody_driver|nbody_scenes|nbody_executor_plain)\.dir/Unity/[\w.]+\.o$")
VALUED = ("-o", "-MF", "-MT")


def reading(command):
    """The compiler's command, as g++ 11 only reads by it."""
    words, kept = iter(shlex.split(command)), []
    for word in words:
        if word in VALUED:
            next(words)
        elif kept or word.startswith("-"):  # not what stands before: launchers and the compiler
            kept.append(word)
    return [COMPILER, *(word for word in kept if word != "-MD"), "-fsyntax-only", "-Werror"]


@needs(COMPILER)
class OldestCompiler(unittest.TestCase):
    def complaints(self, entry):
        return subprocess.run(reading(entry["command"]), cwd=entry["directory"], stderr=subprocess.PIPE, text=True).stderr

    def test_it_reads_the_sources(self):
        listed = subprocess.run(["ninja", "-t", "compdb"], cwd=BUILD, stdout=subprocess.PIPE, check=True).stdout
        entries = [entry for entry in json.loads(listed) if READ.search(entry["output"])]
        self.assertGreater(len(entries), 10)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.assertEqual("".join(pool.map(self.complaints, entries)), "")
