"""Where the programs of the CUDA toolkit are."""

import os
import shutil


def find(name):
    """Path of the toolkit's program, or None: on PATH, or under CUDA_HOME, by default /usr/local/cuda."""
    return shutil.which(name) or shutil.which(name, path=os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin")
