"""A program that runs with --live on any free port."""

import re
import subprocess


class Program:
    """links: the one with the knobs, and the one to watch."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, "--live=0", *arguments], stdout=subprocess.PIPE, text=True)
        self.links = []
        while len(self.links) < 2:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"{program} ended with status {self.process.wait()}")
            self.links += re.findall(r"http://\S+", line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Returns its exit status."""
        self.process.terminate()
        self.process.stdout.close()
        return self.process.wait(30)
