"""What the hostile submissions aim at."""

import os
import socket
from pathlib import Path

from common.base.command_line import ROOT
from common.tests.hostile.host_state import HostState


class Place:
    """A folder with what attacks aim at: a canary, a file of results, another's submission, a server."""

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
