"""The targets of hostile submissions, which must not change: files, processes, sockets, room on the disk."""

import ctypes
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from common.base.command_line import ROOT

PR_SET_CHILD_SUBREAPER = 36
ROOM = 256 << 20  # bytes of the disk, because other processes write too
SECONDS_TO_DIE = 5  # for killed processes with much memory
LEFT = "hostile-left"  # in the names of files that submissions try to leave


def adopt_orphans():
    """Makes processes whose parents have ended children of this process, wherever they hide."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def living_children():
    """Returns whether a child of this process lives. Do not call this while other threads wait for theirs."""
    end = time.monotonic() + SECONDS_TO_DIE
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.05)
        except ChildProcessError:
            return False
    return True


def listing(folder):
    """Returns (name, size, time of change) of every entry of the folder."""
    return sorted((entry.name, entry.lstat().st_size, entry.lstat().st_mtime_ns) for entry in Path(folder).iterdir())


class HostState:
    """Takes a snapshot. canaries: files that attacks try to change; build: the build folder"""

    def __init__(self, canaries, build):
        self.files = {str(path): (path.is_symlink(), path.read_bytes()) for path in canaries}
        self.folders = {str(folder): listing(folder) for folder in (Path.home(), build / "02_tiled", ROOT / "02_tiled")}
        self.suite = subprocess.run(["git", "-C", ROOT, "status", "--porcelain"], capture_output=True, text=True).stdout
        places = (Path("/"), Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path("/run"), Path.home(), ROOT, build)
        self.left = sorted({str(path) for place in places if place.is_dir() for path in place.glob(f"{LEFT}*")})
        self.sockets = Path("/proc/net/unix").read_text().count(LEFT)
        self.used = shutil.disk_usage("/tmp").used
        self.children = living_children()

    def changes(self, before):
        """Returns the differences in words."""
        found = [f"{name}: {getattr(before, name)} is now {getattr(self, name)}"
                 for name in ("files", "folders", "suite", "left", "sockets", "children")
                 if getattr(self, name) != getattr(before, name)]
        if self.used > before.used + ROOM:
            found.append(f"{(self.used - before.used) >> 20} MiB of the disk are gone")
        return found


class Place:
    """A folder with targets of attacks: a canary, a file of results, another student's submission, a server."""

    def __init__(self, folder, build):
        self.folder, self.build = Path(folder), build
        self.canary, self.results = self.folder / "canary", self.folder / "results.json"
        other = self.folder / "another" / "forces.cu"
        other.parent.mkdir()
        for path in (self.canary, self.results, other):
            path.write_text("untouched\n")
        self.tcp, self.local = socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)
        name = f"hostile-{os.getpid()}"
        self.local.bind(f"\0{name}")
        self.local.listen()
        self.canaries = (self.canary, self.results, other)
        texts = {"kCanary": self.canary, "kResults": self.results, "kOther": other, "kSuite": ROOT, "kBuild": build,
                 "kHome": Path.home(), "kSocket": name}
        step = ROOT / "02_tiled"
        macros = {"REFERENCE": step / "forces.cu", "EXERCISES": step / "exercises" / "2.1.md",
                  "REFERENCE_OBJECT": build / "02_tiled/CMakeFiles/02_tiled_forces.dir/forces.cu.o"}
        self.target = "#pragma once\n" + "".join(
            [f'inline constexpr const char* {name} = "{path}";\n' for name, path in texts.items()]
            + [f'#define NBODY_{name} "{path}"\n' for name, path in macros.items()]
            + [f"inline constexpr int kPort = {self.tcp.getsockname()[1]};\n"])

    def state(self):
        return HostState(self.canaries, self.build)

    def close(self):
        self.tcp.close()
        self.local.close()
