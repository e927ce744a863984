"""Starts a server and its live run in another process, on any free port."""

import re
import subprocess

from common.base.command_line import script


class Served:
    """links: the one with the knobs, and the one to watch."""

    def __init__(self, program, *options, port=0, **streams):
        words = [*script("tools.live.serve"), f"--port={port}", "--", program, *map(str, options)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, **streams)
        self.links = []
        while len(self.links) < 2:
            line = self.process.stdout.readline()
            if not line:
                said = self.process.communicate()[1] or ""
                raise RuntimeError(f"{program} ended with status {self.process.returncode}{said and f': {said}'}")
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
