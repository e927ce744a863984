"""Draws the trajectory of a run as a film that repeats, NAME.webp. It also writes one of its frames as NAME.png.

Brightness shows how many bodies lie along each line of sight, on a logarithmic scale that ends at the densest place of the film,
so that centres keep their shape. Where few bodies are, their light is spread, so that no grain is seen.
"""

import argparse
import io
import math
import multiprocessing
import os
import struct
from pathlib import Path

from common.base.command_line import BadInput, shown_path
from common.base.whole_file import check_places, write_whole
from common.tools import packages

# Colours of --galaxy, one after the other, and of bodies that are in none, which glow faintly.
COLOURS = ((1.0, 0.70, 0.36), (0.36, 0.62, 1.0), (0.50, 0.95, 0.60), (0.95, 0.50, 0.85))
OTHERS, OTHERS_SHARE = (0.50, 0.46, 0.70), 0.1
SIGMAS = (0.7, 1.4, 2.8, 5.6, 11.2, 22.4)  # pixels over which a body's light is spread, from dense to empty places
ENOUGH = 64  # bodies under a spread light, from which on it has no grain
RANGE = 30000  # the densest place has at most so many times the light with which the logarithmic scale begins
WHITE = 0.85  # how far the brightest place goes to white
MOST_PIXELS = 4096  # per side
FRAMES_PER_SECOND = 15
QUALITIES = (90, 80, 70, 60, 50, 40, 30, 20)  # of a WebP; the first that is small enough is taken
EXAMPLES = 6  # frames from which the exposure and the size are found


def add_arguments(parser):
    parser.add_argument("trajectory", type=Path, help="the file that a program wrote with --trajectory")
    parser.add_argument("loop", type=Path, metavar="NAME.webp", help="the film to write")
    parser.add_argument("--galaxy", type=span, nargs="+", action="append", metavar="FIRST:END", default=[],
                        help="draw the bodies FIRST to END - 1 in one colour; numbers start at 0. Each --galaxy has the next colour, "
                        "and bodies in none are faint (default: all bodies are one galaxy)")
    parser.add_argument("--half", type=float, default=10,
                        help="half the height of the picture, in the scene's unit of length (default: 10)")
    parser.add_argument("--tilt", type=float, default=0, help="angle between the view and the z axis, in degrees (default: 0)")
    parser.add_argument("--turn", type=float, nargs=2, default=[0, 0], metavar=("FROM", "TO"),
                        help="the film turns about the z axis from one angle to another, in degrees (default: 0 0)")
    parser.add_argument("--size", type=int, nargs=2, default=[960, 540], metavar=("WIDTH", "HEIGHT"),
                        help="size in pixels (default: 960 540)")
    parser.add_argument("--megabytes", type=float, default=3, help="the largest size of the film (default: 3)")
    parser.add_argument("--still", type=float, default=0.5, help="when NAME.png is, from 0 to 1 (default: 0.5)")


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


def turned(positions, turn, tilt):
    """Returns the positions as seen: x to the right, y up. The angles are in degrees."""
    import numpy
    (sine, cosine), (low, high) = ((numpy.sin(angle), numpy.cos(angle)) for angle in numpy.radians([turn, tilt]))
    x, y, z = positions.T
    return cosine * x - sine * y, high * (sine * x + cosine * y) + low * z


def counted(x, y, half, width, height, margin):
    """Returns the bodies in each pixel and in a margin around the picture. A body between four pixels is shared among them."""
    import numpy
    scale = height / (2 * half)
    places = x * scale + (width - 1) / 2 + margin, (height - 1) / 2 - y * scale + margin
    wide, high = width + 2 * margin, height + 2 * margin
    seen = (places[0] >= 0) & (places[0] < wide - 1) & (places[1] >= 0) & (places[1] < high - 1)
    column, row = (place[seen] for place in places)
    left, top = numpy.floor(column).astype(int), numpy.floor(row).astype(int)
    right, below = column - left, row - top
    counts = numpy.zeros(high * wide)
    for down in (0, 1):
        for aside in (0, 1):
            share = (below if down else 1 - below) * (right if aside else 1 - right)
            counts += numpy.bincount((top + down) * wide + left + aside, share, counts.size)
    return counts.reshape(high, wide)


def spread(counts, margin):
    """Returns the light in each pixel. A body's light falls on the narrowest of SIGMAS under which there are enough bodies."""
    import numpy
    waves = numpy.fft.rfft2(counts)
    squares = numpy.add.outer(numpy.fft.fftfreq(counts.shape[0]) ** 2, numpy.fft.rfftfreq(counts.shape[1]) ** 2)
    light = None
    for sigma in reversed(SIGMAS):
        blurred = numpy.fft.irfft2(waves * numpy.exp(-2 * (numpy.pi * sigma) ** 2 * squares), counts.shape)
        blurred = numpy.maximum(blurred[margin:-margin, margin:-margin], 0)
        below = 4 * numpy.pi * sigma**2 * blurred  # bodies under this light
        share = below / (below + ENOUGH)
        light = blurred if light is None else light + share * (blurred - light)
    return light


class Painter:
    """Draws moments of a trajectory, with the same colours for equal numbers of bodies."""

    def __init__(self, trajectory, galaxies, options):
        import numpy
        self.trajectory, self.options = trajectory, options
        count = trajectory.shape[1]
        rest = numpy.ones(count, bool)
        self.groups = []
        for k, spans in enumerate(galaxies or [[slice(0, count)]]):
            chosen = numpy.zeros(count, bool)
            for each in spans:
                chosen[each] = True
            rest &= ~chosen
            self.groups.append((chosen, COLOURS[k % len(COLOURS)], 1))
        if rest.any():
            self.groups.append((rest, OTHERS, OTHERS_SHARE))

    def light(self, frame):
        """Returns the light of each group in each pixel."""
        options, positions = self.options, self.trajectory[frame]
        first, last = options.turn
        angle = first + (last - first) * frame / max(1, len(self.trajectory) - 1)
        margin = int(2 * SIGMAS[-1])  # bodies there shine into the picture
        return [share * spread(counted(*turned(positions[chosen], angle, options.tilt), options.half, *options.size, margin), margin)
                for chosen, _, share in self.groups]

    def expose(self, lights):
        """Sets the light that is drawn brightest, from that of some frames."""
        least = ENOUGH / (4 * math.pi * SIGMAS[-1] ** 2)  # below this a picture of few bodies would show their noise
        self.most = max(max(float(sum(light).max()) for light in lights), 2 * least)
        self.floor = max(self.most / RANGE, least)

    def image(self, light):
        import numpy
        from PIL import Image
        total = sum(light)
        shown = (numpy.log1p(total / self.floor) / math.log1p(self.most / self.floor)).clip(0, 1)[..., None] ** 0.85
        hue = sum(each[..., None] * numpy.array(colour) for each, (_, colour, _) in zip(light, self.groups))
        hue /= numpy.maximum(hue.max(axis=-1, keepdims=True), 1e-12)
        white = WHITE * shown**3
        pixels = shown * (hue * (1 - white) + white)
        return Image.fromarray((255 * pixels).round().astype("uint8"))

    def paint(self, frame):
        return self.image(self.light(frame))


painter = None  # of the process that paints


def paint(frame):
    return painter.paint(frame)


def light(frame):
    return painter.light(frame)


def checked(options):
    if options.loop.suffix != ".webp":
        raise BadInput(f"{options.loop}: the name must end in .webp")
    check_places(options.loop)
    if not all(1 <= side <= MOST_PIXELS for side in options.size):
        raise BadInput(f"--size: width and height must be from 1 to {MOST_PIXELS}")
    for name in ("half", "megabytes"):
        if not 0 < getattr(options, name) < float("inf"):
            raise BadInput(f"--{name}: must be above 0, not {getattr(options, name):g}")
    for name, angle in (("tilt", options.tilt), *(("turn", angle) for angle in options.turn)):
        if not abs(angle) < float("inf"):
            raise BadInput(f"--{name}: must be an angle, not {angle:g}")
    if not 0 <= options.still <= 1:
        raise BadInput(f"--still: must be from 0 to 1, not {options.still:g}")


def run(options):
    global painter
    checked(options)
    packages.need("matplotlib")  # comes with NumPy and Pillow
    trajectory = read(options.trajectory)
    frames, count = trajectory.shape[:2]
    if any(each.stop > count for spans in options.galaxy for each in spans):
        raise BadInput(f"--galaxy: {options.trajectory} has the bodies 0 to {count - 1}")
    painter = Painter(trajectory, options.galaxy, options)
    examples = sorted({round(k * (frames - 1) / EXAMPLES) for k in range(EXAMPLES + 1)})
    with multiprocessing.get_context("fork").Pool(min(os.cpu_count(), len(examples))) as pool:
        painter.expose(pool.map(light, examples))
    with multiprocessing.get_context("fork").Pool(min(os.cpu_count(), frames)) as pool:
        images = pool.map(paint, range(frames))
    film, quality = fitted(images, examples, 1e6 * options.megabytes)
    still = packed(images[round(options.still * (frames - 1))], "png", optimize=True)
    for file, packed_image in ((options.loop, film), (options.loop.with_suffix(".png"), still)):
        try:
            write_whole(file, packed_image)
        except OSError as error:
            raise BadInput(f"{file}: {error.strerror}") from None
    print(f"Written: {shown_path(options.loop)}, .png: {frames} frames, {len(film) / 1e6:.2f} MB, quality {quality}")
    return 0


def fitted(images, examples, most):
    """Returns the film of the best quality that has at most so many bytes, and this quality; the worst quality if none has."""
    first, *others = images
    for quality in QUALITIES:
        sizes = [len(packed(images[frame], "webp", quality=quality)) for frame in examples]
        if quality != QUALITIES[-1] and len(images) * sum(sizes) / len(sizes) > most:
            continue
        film = packed(first, "webp", save_all=True, append_images=others, duration=round(1000 / FRAMES_PER_SECOND), loop=0,
                      quality=quality)
        if len(film) <= most or quality == QUALITIES[-1]:
            return film, quality


def packed(image, form, **how):
    with io.BytesIO() as file:
        image.save(file, form, **how)
        return file.getvalue()
