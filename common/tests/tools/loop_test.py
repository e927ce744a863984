"""Tests of the command `loop`, on a trajectory that is written here."""

import struct
from types import SimpleNamespace
from unittest import mock

from common.base.command_line import run_command
from common.tests.tools.case import InFolder, call, needs_matplotlib
from common.tools.plots import loop


@needs_matplotlib()
class Loop(InFolder):
    """Two bodies in three frames: one stays at x = 4, the other goes from -4 to 0."""

    def setUp(self):
        super().setUp()
        places = [(4, 0, 0, x, 2, 9) for x in (-4, -2, 0)]
        self.trajectory = self.folder / "two.bin"
        self.trajectory.write_bytes(struct.pack("<2i", 2, 3) + b"".join(struct.pack("<6f", *p) for p in places))

    def call(self, *words):
        return call(run_command, "loop", loop, [str(word) for word in words])

    def drawn(self, *words):
        """The frames, each as {place of a pixel that is not dark: its colour}; 80 by 50 pixels are 16 by 10 lengths."""
        from PIL import Image
        with mock.patch.multiple(loop, QUALITIES=(100,), ENOUGH=1e-9, RANGE=100):  # two bodies are sharp, without a glow
            self.expect_success(self.call(self.trajectory, self.folder / "two.webp", "--size", 80, 50, "--half", 5, *words))
        with Image.open(self.folder / "two.webp") as image:
            frames = []
            for k in range(getattr(image, "n_frames", 1)):
                image.seek(k)
                pixels = image.convert("RGB")
                frames.append({(x, y): pixels.getpixel((x, y)) for x in range(80) for y in range(50)
                               if sum(pixels.getpixel((x, y))) > 100})
            return frames

    def test_bodies_are_where_they_are_in_each_frame(self):
        frames = self.drawn()
        self.assertEqual(len(frames), 3)
        for frame, x in zip(frames, (20, 30, 40)):
            self.assertIn((60, 25), frame)
            self.assertIn((x, 15), frame)
            self.assertTrue(all(min(abs(px - 60) + abs(py - 25), abs(px - x) + abs(py - 15)) < 6 for px, py in frame))

    def test_a_body_outside_is_not_at_the_edge(self):
        self.trajectory.write_bytes(struct.pack("<2i6f", 2, 1, 4, 0, 0, -10, 2, 0))  # the edge is at -8, and what is near it shines in
        self.assertTrue(all(x > 50 for x, _ in self.drawn()[0]))

    def test_each_galaxy_has_a_colour(self):
        frame = self.drawn("--galaxy", "0:1", "--galaxy", "1:2")[0]
        for place, is_warm in (((60, 25), True), ((20, 15), False)):
            red, _, blue = frame[place]
            self.assertEqual(red > blue, is_warm, place)

    def test_bodies_in_no_galaxy_are_faint(self):
        frame = self.drawn("--galaxy", "0:1")[0]
        self.assertGreater(sum(frame[60, 25]), 1.3 * sum(frame.get((20, 15), (0, 0, 0))))

    def test_a_tilted_view_shows_heights_and_a_turned_one_goes_round(self):
        frames = self.drawn("--tilt", 90, "--turn", 0, 90)  # the second body is at (x, 2, 9): above the picture
        self.assertTrue(all(abs(x - 60) < 5 for x, _ in frames[0]))
        self.assertTrue(all(abs(x - 40) < 5 for x, _ in frames[2]))

    def test_the_centre_of_a_cloud_stays_brighter_than_its_surroundings(self):
        import numpy
        random = numpy.random.default_rng(1)
        places = random.normal(0, 1, (20000, 3)) * random.uniform(0, 1, (20000, 1)) ** 2
        self.trajectory.write_bytes(struct.pack("<2i", 20000, 1) + places.astype("<f4").tobytes())
        loop_options = SimpleNamespace(half=3, size=(80, 80), tilt=0, turn=(0, 0))
        painter = loop.Painter(loop.read(self.trajectory), [], loop_options)
        light = painter.light(0)
        painter.expose([light])
        brightness = numpy.asarray(painter.image(light)).sum(axis=2)[40, 40:].astype(int)
        self.assertEqual(brightness.argmax(), 0)
        self.assertTrue((brightness[:20:4] > brightness[4:24:4]).all(), brightness)  # no plateau at the centre

    def test_the_best_quality_that_fits_is_taken(self):
        from PIL import Image
        images = [Image.effect_noise((64, 64), 90) for _ in range(8)]
        sizes = {}
        for most in (1e9, 12000, 1):
            film, quality = loop.fitted(images, [0, 7], most)
            sizes[quality] = len(film)
            self.assertTrue(len(film) <= most or quality == loop.QUALITIES[-1])
        self.assertEqual(list(sizes), sorted(sizes, reverse=True))
        self.assertEqual((max(sizes), min(sizes)), (loop.QUALITIES[0], loop.QUALITIES[-1]))

    def test_the_still_is_the_frame_at_its_time(self):
        from PIL import Image
        for words, bright, dark in (((), 30, 20), (("--still", 0), 20, 30)):
            self.drawn(*words)
            with Image.open(self.folder / "two.png") as still:
                shown = still.convert("RGB")
                self.assertGreater(sum(shown.getpixel((bright, 15))), sum(shown.getpixel((dark, 15))) + 100)

    def test_bad_input_gets_one_line_and_status_2(self):
        good, out, short = self.trajectory, self.folder / "a.webp", self.write("short.bin", "abc")
        cut = self.folder / "cut.bin"
        cut.write_bytes(good.read_bytes()[:-1])
        for words in ((), (good,), (good, self.folder / "a.gif"), (short, out), (cut, out), (self.folder / "none", out),
                      (good, self.folder / "none" / "a.webp"), (good, out, "--half", "0"), (good, out, "--half", "x"),
                      (good, out, "--galaxy", "1:3"), (good, out, "--galaxy", "1"), (good, out, "--tilt", "inf"),
                      (good, out, "--still", "2"), (good, out, "--megabytes", "0"), (good, out, "--size", "0", "9"),
                      (good, out, "--size", "9", "5000")):
            self.expect_refusal(self.call(*words), "loop: ")
        self.assertFalse(out.exists())
