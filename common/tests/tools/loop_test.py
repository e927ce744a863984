"""Tests of the command `loop`, on a trajectory that is written here."""

import struct
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
        with mock.patch.object(loop, "QUALITY", 100):
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
            self.assertTrue(all(min(abs(px - 60) + abs(py - 25), abs(px - x) + abs(py - 15)) < 4 for px, py in frame))

    def test_a_body_outside_is_not_at_the_edge(self):
        self.trajectory.write_bytes(struct.pack("<2i6f", 2, 1, 4, 0, 0, -8.05, 2, 0))  # the edge is at -8
        self.assertTrue(all(x > 50 for x, _ in self.drawn()[0]))

    def test_those_that_shine_are_warm_and_the_others_blue(self):
        frame = self.drawn("--shining", "0:1")[0]
        for place, is_warm in (((60, 25), True), ((20, 15), False)):
            red, _, blue = frame[place]
            self.assertEqual(red > blue, is_warm, place)

    def test_the_middle_frame_is_the_poster(self):
        from PIL import Image
        self.drawn()
        with Image.open(self.folder / "two.png") as poster:
            shown = poster.convert("RGB")
            self.assertGreater(sum(shown.getpixel((30, 15))), sum(shown.getpixel((20, 15))) + 100)

    def test_bad_input_gets_one_line_and_status_2(self):
        good, out, short = self.trajectory, self.folder / "a.webp", self.write("short.bin", "abc")
        cut = self.folder / "cut.bin"
        cut.write_bytes(good.read_bytes()[:-1])
        for words in ((), (good,), (good, self.folder / "a.gif"), (short, out), (cut, out), (self.folder / "none", out),
                      (good, self.folder / "none" / "a.webp"), (good, out, "--half", "0"), (good, out, "--half", "x"),
                      (good, out, "--shining", "1:3"), (good, out, "--shining", "1"), (good, out, "--size", "0", "9"),
                      (good, out, "--size", "9", "5000")):
            self.expect_refusal(self.call(*words), "loop: ")
        self.assertFalse(out.exists())
