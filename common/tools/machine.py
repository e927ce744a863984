"""Says which GPU, driver and CUDA toolkit this machine has, and what that means for ./run and for nvcc."""

import re
import shutil
import subprocess

from common.tools import packages

OLDEST_GPU = {12: 60, 13: 75}  # oldest architecture by the toolkit's version; see common/architectures.cmake


def output(*command):
    """Returns the program's output; empty if it does not start, or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def version(pattern, text):
    """Returns (12, 4) for "12.4"; None if there is none."""
    found = re.search(pattern + r"\s*(\d+)\.(\d+)", text)
    return found and (int(found[1]), int(found[2]))


def dotted(pair):
    return ".".join(map(str, pair))


def meaning(architecture, driver, toolkit):
    """Returns advice. driver, toolkit: versions of CUDA, None if unknown"""
    if not toolkit:
        most = f", of CUDA {dotted(driver)} or older" if driver else ""
        return f"There is no nvcc: ./run uses the CPU executor. For the GPU install the CUDA toolkit{most}."
    if architecture < OLDEST_GPU.get(toolkit[0], 0):
        return (f"CUDA {dotted(toolkit)} does not compile for sm_{architecture}: install an older toolkit, or give "
                "--preset cpu for the CPU executor.")
    if driver and driver[0] < toolkit[0]:
        return (f"The driver is too old for CUDA {dotted(toolkit)}: no kernel will start. Install the toolkit of CUDA "
                f"{driver[0]}, or give --preset cpu for the CPU executor.")
    if driver and driver < toolkit:
        return ("./run uses the GPU. The driver is older than the toolkit, so a program made with `nvcc file.cu` starts no "
                "kernel. It notices this only if it asks for errors. Type "
                f"`nvcc -arch=sm_{architecture} file.cu` instead.")
    return f"./run uses the GPU. With `nvcc file.cu`, also give -arch=sm_{architecture}: kernels then start without being compiled again."


def report():
    """Returns the lines to print."""
    rows = output("nvidia-smi", "--query-gpu=name,compute_cap,driver_version", "--format=csv,noheader").splitlines()
    gpus = [row.split(", ") for row in rows if row.count(", ") == 2]
    nvcc = packages.find_cuda_tool("nvcc")
    toolkit = version("release", output(nvcc, "--version")) if nvcc else None
    lines = [f"CUDA toolkit: {dotted(toolkit)}, {nvcc}" if toolkit else "CUDA toolkit: none"]
    if not gpus:
        why = "" if shutil.which("nvidia-smi") else ", because nvidia-smi is missing"
        return ["GPU: none" + why, *lines, "./run uses the CPU executor: every command works, but shows no speeds of kernels. "
                "On Colab, choose Runtime, Change runtime type, T4 GPU, and run all cells again."]
    name, capability, driver = gpus[0]
    architecture = int(capability.replace(".", ""))
    supported = version("CUDA Version:", output("nvidia-smi"))
    upto = f", for CUDA up to {dotted(supported)}" if supported else ""
    return [f"GPU: {name}, sm_{architecture}, driver {driver}{upto}", *lines, meaning(architecture, supported, toolkit)]


def run(options):
    print("\n".join(report()))
