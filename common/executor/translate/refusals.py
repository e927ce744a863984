"""Refuses by name what the executor does not support: one clear line for each, instead of a compiler's guess."""

import re

from common.executor.translate.launches import STATEMENT_WORDS
from common.executor.translate.source import ATTRIBUTES

WORDS = [(re.compile(form), what) for form, what in (
    (r"cudaBindSurfaceToArray|cudaGetSurfaceReference", "surface references: use surface objects"),
    (r"cuda(Bind|Unbind)Texture\w*|cudaGetTextureReference", "texture references: use texture objects"),
    (r"tex(3D|Cubemap|[12]D(Layered|Lod|Grad|gather))\w*|surf(3D|Cubemap|[12]DLayered)\w*|cudaMalloc3DArray|cudaMemcpy3DPeer\w*",
     "textures, surfaces and arrays of three dimensions, layers or levels"),
    (r"cudaGraphics\w+|cudaGL\w+|cudaEGL\w+|cudaVDPAU\w+|cudaD3D\w+", "graphics"),
    (r"cudaIpc\w+", "memory of other processes"),
    (r"cuda(Import|Destroy|Signal|Wait)External\w+|cudaExternalMemory\w+", "external memory"),
    (r"__cluster_dims__|cudaLaunchAttributeClusterDimension", "clusters of blocks"),
    (r"curandState(MRG32k3a|Mtgp32|(Scrambled)?Sobol(32|64))\w*", "this generator of cuRAND: use curandState or "
     "curandStatePhilox4_32_10_t"))]
CALLED = re.compile(r"cu\w*")
# A program's functions may have these names too, so only calls of undeclared functions count.
CALLS = [(re.compile(form), what) for form, what in (
    (r"cu(Init|Device|Ctx|Module|Link|Library|Kernel|Mem|Launch|Func|Param|Stream|Event|Tex|Surf|Array|Mipmapped|Graph"
     r"|Occupancy|Pointer|GetError|DriverGet|GetProc|Ipc|Import|External|Tensor|Multicast|Profiler)\w*",
     "CUDA's driver API"),
    (r"(cublas|cufft|curand|cusparse|cusolver|cudnn|nvrtc|nccl)[A-Z]\w*", "this library"))]
# Since CUDA 9 these need a mask; nvcc 13 does not know the old ones.
WITHOUT_MASK = re.compile(r"__(shfl|shfl_up|shfl_down|shfl_xor|any|all|ballot)")
RUNTIME = re.compile(r"cuda[A-Z]\w*")


def is_declared(source, i):
    """Returns whether the word at i looks like the name of a function or variable that is declared there."""
    before = source.text(i - 1)
    if before == ")" and i - 1 in source.match:  # "__global__ void __launch_bounds__(256) name("
        return source.text(source.match[i - 1] - 1) in ATTRIBUTES
    return before in ("*", "&", ">", "using") or (source.is_name(i - 1) and before not in STATEMENT_WORDS)


def is_of_cub(source, i):
    return source.text(i - 1) == "::" and source.text(i - 2) == "cub"


def check_templates(source, i, refuse):
    if source.text(i) in ("surface", "texture") and source.text(i + 1) == "<" and source.text(i - 1) != "::":
        if not source.in_code(i) and not source.in_class(i):
            what = source.text(i)
            refuse(i, f"the CPU executor does not support {what} references: use {what} objects ({what}<...>)")


def refuse_unsupported(source):
    """Refuses all that is not supported at once: each name at its first place."""
    calls, found = {}, {}

    def refuse(i, reason):
        found.setdefault(reason, i)

    find_unsupported(source, calls, refuse)
    if found:
        source.refuse_all(sorted((i, reason) for reason, i in found.items()))


def find_unsupported(source, calls, refuse):
    for i, word in enumerate(source.words):
        if word.kind != "name":
            continue
        check_templates(source, i, refuse)
        for form, what in WORDS:
            if form.fullmatch(word.text) and source.text(i - 1) not in (".", "->"):
                refuse(i, f"the CPU executor does not support {what} ({word.text})")
        if WITHOUT_MASK.fullmatch(word.text) and source.text(i + 1) == "(" and not is_declared(source, i):
            refuse(i, f"{word.text}() is gone since CUDA 9: write {word.text}_sync(0xffffffff, ...), with the lanes that "
                   "take part as the first argument")
        if is_of_cub(source, i):
            calls.setdefault(word.text, i)
        if source.text(i + 1) == "(" and CALLED.fullmatch(word.text) or word.text.startswith(("nvrtc", "nccl")):
            if source.text(i - 1) not in (".", "->"):
                calls.setdefault(word.text, i)
    for form, _ in WORDS:
        calls = {name: i for name, i in calls.items() if not form.fullmatch(name)}
    declared = {word.text for i, word in enumerate(source.words) if word.text in calls and is_declared(source, i)}
    headers = source.headers() if calls else ""
    for name, i in calls.items():
        if name in declared or f"{name}(" in headers or re.search(rf"\b{name}\b", headers):  # the first test is fast
            continue
        for form, what in CALLS:
            if form.fullmatch(name):
                refuse(i, f"the CPU executor does not support {what} ({name})")
                break
        else:
            if is_of_cub(source, i):
                refuse(i, f"the CPU executor does not have cub::{name}")
            elif RUNTIME.fullmatch(name):
                refuse(i, f"the CPU executor does not have {name}()")
