"""The steps of N-Body Ladder from Python: gravitational accelerations of arrays on the host or on a GPU. G is 1.

    import nbody_ladder as nl
    a = nl.accelerations(positions, masses, softening=0.01, method="10_tuned", tolerance=1e-4)

NumPy arrays go through host memory. Arrays with __dlpack__ or __cuda_array_interface__ are used where they are. Accelerations come
back as the same kind. docs/pages/library.md has more.
"""

import ctypes
import json
import os
import sys
from pathlib import Path

import numpy

_BITS = {"float32": 32, "float64": 64}
_LEGACY_STREAM = 1
_KINDS = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex"}  # DLPack's numbers of types


class Error(Exception):
    """Says in one line what is wrong, and why. If the input is bad, nothing has been written. If arrays cannot hold the result, it
    is undefined."""


class _Errors(ctypes.Structure):
    _fields_ = [("sampled", ctypes.c_int), *((name, ctypes.c_double) for name in ("median", "p99", "max"))]


class _Tensor(ctypes.Structure):
    """DLPack's DLTensor."""

    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int * 2), ("dimensions", ctypes.c_int), ("kind", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


def _loaded():
    """Loads the library of an installation, or of the build folders of a checkout."""
    here = Path(__file__).resolve()
    builds = [here.parents[2] / "build" / preset / "library" for preset in ("gpu", "cpu")]
    places = [Path(place) for place in (os.environ.get("NBODY_LADDER_LIBRARY"),) if place] or [here.parents[1], *builds]
    file = next((place / "libnbody_ladder.so" for place in places if (place / "libnbody_ladder.so").exists()), None)
    if file is None:
        raise ImportError(f"libnbody_ladder.so is not in {' or '.join(map(str, places))}; build the target nbody_ladder")
    library = ctypes.CDLL(str(file))
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double
    for name, result, arguments in (
            ("new", pointer, [text, ctypes.c_int, number, text]),
            ("accelerations", ctypes.c_int, [pointer, ctypes.c_longlong, *[pointer] * 5]),
            ("error", ctypes.c_int, [ctypes.c_int, ctypes.c_longlong, *[pointer] * 3, number, pointer, ctypes.POINTER(_Errors)]),
            ("forget", ctypes.c_int, [pointer]), ("reserve", ctypes.c_int, [pointer, ctypes.c_longlong]),
            ("methods", text, []), ("last_error", text, []), ("free", None, [pointer])):
        function = getattr(library, f"nbody_{name}")
        function.restype, function.argtypes = result, arguments
    return library


_lib = _loaded()
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _failed():
    return Error(_lib.nbody_last_error().decode())


class _View:
    """Describes an array: where it is, and what is in it."""

    def __init__(self, array, like):
        self.stream, self.writable = None, True
        if isinstance(array, numpy.ma.MaskedArray):
            raise Error("a masked array has elements that are none; give array.filled(...), or its data")
        if isinstance(array, numpy.ndarray):
            self.pointer, self.shape, self.writable = array.ctypes.data, array.shape, array.flags.writeable
            self.dtype, self.packed = array.dtype.name if array.dtype.isnative else array.dtype.str, array.flags.c_contiguous
        elif type(array).__module__ == "torch" and array.is_cuda:  # much faster than __dlpack__()
            self.pointer, self.shape, self.packed = array.data_ptr(), tuple(array.shape), array.is_contiguous()
            self.dtype = str(array.dtype)[len("torch."):]
            self.stream = like.stream if like else sys.modules["torch"].cuda.current_stream(array.device).cuda_stream
        elif hasattr(array, "__dlpack__"):
            kind, _ = array.__dlpack_device__()
            if int(kind) not in (1, 2, 3, 13):  # host memory, CUDA's, pinned, managed
                raise Error(f"the array is on a device of DLPack's kind {int(kind)}; give one on the host or on a CUDA GPU")
            if int(kind) in (2, 13):
                self.stream = _LEGACY_STREAM  # waits for the array's stream
            self.capsule = array.__dlpack__(stream=self.stream)
            tensor = _Tensor.from_address(_pointer_of(self.capsule, b"dltensor"))
            self.pointer, self.shape = (tensor.data or 0) + tensor.offset, tuple(tensor.shape[:tensor.dimensions])
            self.dtype = f"{_KINDS.get(tensor.kind, 'kind')}{tensor.bits}"
            self.packed = not tensor.strides or self.follows(tensor.strides[:tensor.dimensions], 1)
        elif hasattr(array, "__cuda_array_interface__"):
            about = array.__cuda_array_interface__
            (self.pointer, read_only), self.shape, self.stream = about["data"], about["shape"], about.get("stream")
            self.dtype, self.writable = numpy.dtype(about["typestr"]).name, not read_only
            self.packed = not about.get("strides") or self.follows(about["strides"], numpy.dtype(about["typestr"]).itemsize)
        else:
            raise Error(f"give an array, NumPy's for example, and not {type(array).__name__}")

    def follows(self, strides, expected):
        """Returns whether the elements follow each other."""
        for length, stride in zip(reversed(self.shape), reversed(strides)):
            if length > 1 and stride != expected:
                return False
            expected *= length
        return True


def _view(array, name, like=None, columns=(3,)):
    """Returns the array's view. Raises Error unless it has as many rows as the other arrays and their precision."""
    try:
        view = _View(array, like)
    except Error as error:
        raise Error(f"{name}: {error}") from None
    except (AttributeError, BufferError, RuntimeError, TypeError) as error:
        raise Error(f"{name}: the array cannot be used: {error}") from error
    shape = (like.shape[0] if like else "N", *columns)
    if view.shape != shape if like else view.shape[1:] != columns or view.shape[0] == 0:
        raise Error(f"{name}: the shape must be {shape}, not {view.shape}".replace("'", ""))
    if view.dtype not in _BITS or (like and view.dtype != like.dtype):
        raise Error(f"{name}: the numbers must be {like.dtype if like else 'float32 or float64'}, not {view.dtype}")
    if not view.packed:
        raise Error(f"{name}: the numbers do not follow each other in memory; give a contiguous copy")
    if like and view.stream and view.stream != like.stream:
        raise Error(f"{name}: the array's stream is not that of the positions; use one stream")
    return view


def _like(array):
    """Returns a new array of the same kind and shape, in the same memory space."""
    package = sys.modules[type(array).__module__.split(".")[0]]
    return (package if hasattr(package, "empty_like") else array.__array_namespace__()).empty_like(array)


def _number(softening):
    try:
        return float(softening)
    except (TypeError, ValueError):
        raise Error(f"softening: must be a number, not {softening!r}") from None


class Method:
    """A method with its memory, which it keeps between calls. Only one thread at a time may use it.

    name, options  as methods() lists them, with _ or -: Method("10_tuned", softening=0.01, tolerance=1e-4)
    softening      above 0, in the unit of the positions
    dtype          type of the arrays: "float32" or "float64"
    """

    _handle = None

    def __init__(self, name, *, softening, dtype="float32", **options):
        self.dtype = str(getattr(dtype, "__name__", dtype)).split(".")[-1]  # numpy.float32, torch.float32
        words = {True: "on", False: "off"}
        text = ",".join(f"{option.replace('_', '-')}={words[value] if isinstance(value, bool) else value}"
                        for option, value in options.items())
        if self.dtype not in _BITS:
            raise Error(f"dtype: must be float32 or float64, not {dtype}")
        self._handle = _lib.nbody_new(str(name).encode(), _BITS[self.dtype], _number(softening), text.encode())
        if not self._handle:
            raise _failed()

    def __call__(self, positions, masses, *, out=None, potentials=None):
        """Returns the accelerations, (N, 3), in length per time squared; in `out`, if it is given.

        positions   (N, 3); N may change from call to call
        masses      (N,), not negative
        potentials  (N,), out: the potentials, if the method has them
        """
        at = _view(positions, "positions")
        if at.dtype != self.dtype:
            raise Error(f"positions: the method was made for {self.dtype}, not {at.dtype}")
        weights = _view(masses, "masses", at, ())
        result = _like(positions) if out is None else out
        to = _view(result, "out", at)
        wells = None if potentials is None else _view(potentials, "potentials", at, ())
        if not (to.writable and (wells is None or wells.writable)):
            raise Error("out: the array, or that of the potentials, is read-only")
        if _lib.nbody_accelerations(self._handle, at.shape[0], at.pointer, weights.pointer, to.pointer,
                                    wells and wells.pointer, at.stream):
            raise _failed()
        return result

    def forget(self):
        """Makes the next accelerations independent of the last ones, as those of a new Method."""
        if _lib.nbody_forget(self._handle):
            raise _failed()

    def reserve(self, count):
        """Computes accelerations of `count` other bodies, so that the next call allocates no memory and loads no kernel."""
        if _lib.nbody_reserve(self._handle, count):
            raise _failed()

    def close(self):
        """Frees the memory."""
        handle, self._handle = self._handle, None
        _lib.nbody_free(handle)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    __del__ = close


def accelerations(positions, masses, *, softening, method="10_tuned", out=None, potentials=None, **options):
    """Returns the accelerations of these bodies from a new Method. To compute more often, keep a Method."""
    with Method(method, softening=softening, dtype=_view(positions, "positions").dtype, **options) as once:
        return once(positions, masses, out=out, potentials=potentials)


def methods():
    """Returns {name: about}: each method's precisions, whether it needs a GPU and has potentials, and its options."""
    found = _lib.nbody_methods()
    if found is None:
        raise _failed()
    return json.loads(found.decode())


def error(positions, masses, accelerations, *, softening):
    """Returns {"sampled", "median", "p99", "max"}: relative errors of a sample of the accelerations, compared with FP64."""
    at = _view(positions, "positions")
    weights, given, errors = _view(masses, "masses", at, ()), _view(accelerations, "accelerations", at), _Errors()
    if _lib.nbody_error(_BITS[at.dtype], at.shape[0], at.pointer, weights.pointer, given.pointer, _number(softening), at.stream,
                        ctypes.byref(errors)):
        raise _failed()
    return {name: getattr(errors, name) for name, _ in _Errors._fields_}
