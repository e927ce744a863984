"""What an export for GPU MODE asks of PyTorch, over numpy on the CPU, for where PyTorch is not."""

import types

import numpy

float32 = numpy.float32
sqrt, isfinite = numpy.sqrt, numpy.isfinite
cuda = types.SimpleNamespace(is_available=lambda: False)


class Tensor(numpy.ndarray):
    device = "cpu"

    def to(self, device):
        return self

    def double(self):
        return self.astype(numpy.float64)

    def float(self):
        return self.astype(numpy.float32)

    def unbind(self, axis):
        return [part.view(Tensor) for part in numpy.moveaxis(self, axis, 0)]

    def square(self):
        return self * self

    def sqrt(self):
        return numpy.sqrt(self)


def from_numpy(array):
    return array.view(Tensor)


def tensor(values, device):
    return numpy.array(values).view(Tensor)


def arange(count, device):
    return numpy.arange(count).view(Tensor)


def stack(parts, axis):
    return numpy.stack(parts, axis).view(Tensor)


def cat(parts):
    return numpy.concatenate(parts).view(Tensor)
