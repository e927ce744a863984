"""Draws the trajectory of a run as an animation that repeats, NAME.webp. It also writes the middle frame as NAME.png.

Brightness shows how many bodies lie along each line of sight. The camera looks along z.
"""

import argparse
import io
import struct
from pathlib import Path

from common.base.command_line import BadInput, shown_path
from common.base.whole_file import write_whole
from common.tools import packages

# Colours from no body to the most on a line of sight, for bodies that shine and for others, which are below.
SHINING = ((0, 0, 0), (70, 40, 25), (190, 120, 70), (255, 220, 170), (255, 255, 245))
OTHERS = ((7, 10, 18), (20, 32, 70), (44, 70, 130), (90, 130, 190))
BRIGHTEST = 99.97  # percentile of the poster's pixels from which on all have the last colour
MOST_PIXELS = 4096  # per side
FRAMES_PER_SECOND = 12
QUALITY = 50  # low for the WebP, because most of the data is noise of single bodies


def add_arguments(parser):
    parser.add_argument("trajectory", type=Path, help="the file that a program wrote with --trajectory")
    parser.add_argument("loop", type=Path, metavar="NAME.webp", help="the picture to write")
    parser.add_argument("--shining", type=span, nargs="+", metavar="FIRST:END",
                        help="draw the bodies FIRST to END - 1 in bright colours and the others in blue; numbers start at 0 "
                        "(default: all bright)")
    parser.add_argument("--half", type=float, default=10,
                        help="half the height of the picture, in the scene's unit of length (default: 10)")
    parser.add_argument("--size", type=int, nargs=2, default=[640, 400], metavar=("WIDTH", "HEIGHT"),
                        help="size in pixels (default: 640 400)")


def span(text):
    """Returns "3:7" as a slice."""
    first, colon, end = text.partition(":")
    if not (colon and first.isdecimal() and end.isdecimal() and int(first) < int(end)):
        raise argparse.ArgumentTypeError(f"must be FIRST:END, not '{text}'")
    return slice(int(first), int(end))


def read(file):
    """Returns positions as [frame][body][x, y, z], which stay on the disk until they are used."""
    import numpy
    try:
        size = file.stat().st_size
        with file.open("rb") as opened:
            bodies, frames = struct.unpack("<2i", opened.read(8))
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from None
    except struct.error:
        bodies = frames = 0
    if min(bodies, frames) < 1 or size != 8 + 12 * bodies * frames:
        raise BadInput(f"{file} is not what --trajectory writes")
    return numpy.memmap(file, "<f4", "r", offset=8, shape=(frames, bodies, 3))


def density(positions, half, width, height):
    """Returns the bodies in each pixel. Each body is spread a little over the neighbours."""
    import numpy
    scale = height / (2 * half)
    x = numpy.floor(positions[:, 0] * scale + width / 2).astype(int)
    y = numpy.floor(height / 2 - positions[:, 1] * scale).astype(int)
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    counts = numpy.bincount(y[inside] * width + x[inside], minlength=width * height).reshape(height, width)
    for _ in range(2):  # vertically, then horizontally
        padded = numpy.pad(counts, ((1, 1), (0, 0)))
        counts = ((padded[:-2] + 2 * counts + padded[2:]) / 4).T
    return counts


def shades(counts, most, ramp):
    """Returns red, green and blue of each pixel, on a logarithmic scale."""
    import numpy
    share = numpy.minimum(1, numpy.log1p(4 * counts) / numpy.log1p(4 * most))
    places = numpy.linspace(0, 1, len(ramp))
    return numpy.stack([numpy.interp(share, places, channel) for channel in zip(*ramp)], axis=-1)


def painter(shining, half, size, example):
    """Returns a function that makes images with the same colours for equal numbers. shining: whether each body shines"""
    import numpy
    from PIL import Image

    def layers(positions):
        """Returns the bodies in each pixel: those that shine, and the others."""
        return [density(positions[chosen], half, *size) for chosen in (shining, ~shining)]

    most = [max(1, numpy.percentile(counts, BRIGHTEST)) for counts in layers(example)]

    def paint(positions):
        shaded = [shades(*layer) for layer in zip(layers(positions), most, (SHINING, OTHERS))]
        return Image.fromarray(sum(shaded).clip(0, 255).round().astype("uint8"))

    return paint


def shining_of(options, count):
    """Returns for each body whether it shines."""
    import numpy
    shining = numpy.zeros(count, bool)
    for chosen in options.shining or [slice(0, count)]:
        if chosen.stop > count:
            raise BadInput(f"--shining: {options.trajectory} has the bodies 0 to {count - 1}")
        shining[chosen] = True
    return shining


def run(options):
    if options.loop.suffix != ".webp":
        raise BadInput(f"{options.loop}: the name must end in .webp")
    if not all(1 <= side <= MOST_PIXELS for side in options.size):
        raise BadInput(f"--size: width and height must be from 1 to {MOST_PIXELS}")
    if not 0 < options.half < float("inf"):
        raise BadInput(f"--half: must be above 0, not {options.half:g}")
    packages.need("matplotlib")  # comes with NumPy and Pillow
    trajectory = read(options.trajectory)
    poster = trajectory[(len(trajectory) - 1) // 2]
    paint = painter(shining_of(options, trajectory.shape[1]), options.half, options.size, poster)
    first, *others = map(paint, trajectory)
    loop = packed(first, "webp", save_all=True, append_images=others, duration=round(1000 / FRAMES_PER_SECOND), loop=0,
                  quality=QUALITY)
    still = packed(paint(poster).quantize(128), "png", optimize=True)
    for file, packed_image in ((options.loop, loop), (options.loop.with_suffix(".png"), still)):
        try:
            write_whole(file, packed_image)
        except OSError as error:
            raise BadInput(f"{file}: {error.strerror}") from None
    print(f"Written: {shown_path(options.loop)}, .png: {len(trajectory)} frames, {len(loop) / 1e6:.2f} MB")
    return 0


def packed(image, form, **how):
    with io.BytesIO() as file:
        image.save(file, form, **how)
        return file.getvalue()
