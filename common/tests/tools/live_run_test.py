"""The live view of a real program in Chromium: its knobs, its clock, its viewers, and where it is built a climb."""

import sys
from pathlib import Path

from common.tests.tools.case import skip_without_browser, skip_without_websockets
from common.tests.tools.live_case import LivePage
from common.tools.live.served import Served
from common.tools.docs import browser as tool

PROGRAM = sys.argv.pop()
NEXT = Path(PROGRAM).parents[1] / "01_naive" / "01_naive"
KEYS = tool.webdriver and tool.webdriver.Keys


def setUpModule():
    skip_without_browser()
    skip_without_websockets()


class Run(LivePage):
    def setUp(self):
        self.program = self.enterContext(Served(PROGRAM, "--scene=merger", "--bodies=600", "--dt=0.1"))

    def type_in(self, name, text):
        self.element(f"knob-{name}").send_keys(KEYS.BACKSPACE * 12 + text + KEYS.ENTER)

    def steps(self):
        return int(self.text("steps").replace(",", ""))

    def test_plays_pauses_steps_and_begins_anew(self):
        self.open(self.program.links[0])
        self.wait(lambda: self.steps() > 10, "ten steps")
        self.pause()
        self.wait(lambda: len({self.time_after(0.2) for _ in range(3)}) == 1, "the last frame")
        before = self.time_after(0)
        self.press("s")
        self.wait(lambda: abs(self.time_after(0) - before - 0.1) < 1e-6, "one step")
        self.press("n")
        self.wait(lambda: self.time_after(0) == 0, "the first moment")

    def test_knobs_are_turned_or_refused(self):
        self.open(self.program.links[0])
        self.type_in("bodies", "900")
        self.wait(lambda: "900 bodies" in self.text("source"), "more bodies")
        self.type_in("dt", "-1")
        self.wait(lambda: self.element("refusal").is_displayed(), "the refusal")
        self.assertEqual(self.element("knob-dt").get_property("value"), "0.1")
        self.element("knob-scene").send_keys("pl")
        self.wait(lambda: self.text("scene") == "plummer", "the other scene")
        self.wait(lambda: self.look()["lit"] > 1e-3, "its bodies")

    def test_colours(self):
        self.open(self.program.links[0])
        self.pause()
        self.assertIn("halo 1", self.text("legend"))
        for colour in ("speed", "acceleration"):
            self.look()
            self.press("c")
            self.wait(lambda: colour in self.text("legend") and "\u2013" not in self.text("legend"), colour)
            self.assertGreater(self.look()["different"], 1e-4)

    def test_who_watches_sees_what_is_steered(self):
        self.open(self.program.links[0])
        self.assertEqual(self.element("watch").get_property("value"), self.program.links[1])
        control = self.page.current_window_handle
        self.page.switch_to.new_window("tab")
        self.addCleanup(self.page.switch_to.window, control)
        self.addCleanup(self.page.close)
        self.open(self.program.links[1])
        self.wait(lambda: "2 viewers" in self.text("state"), "both viewers")
        self.assertFalse(self.element("play").is_displayed())
        self.page.switch_to.window(control)
        self.type_in("bodies", "700")
        self.page.switch_to.window(self.page.window_handles[-1])
        self.wait(lambda: "700 bodies" in self.text("source"), "the other number of bodies")

    def test_says_that_it_was_stopped(self):
        self.open(self.program.links[0])
        self.assertEqual(self.program.stop(), 0)
        self.wait(lambda: "connection is lost" in self.text("notice"), "the notice")

    def test_climbs_while_it_goes_on(self):
        if not NEXT.exists():
            self.skipTest(f"{NEXT.name} is not built")
        self.open(self.program.links[0])
        self.wait(lambda: self.time_after(0) > 2, "some steps")
        before = self.time_after(0)
        self.press("1")
        self.wait(lambda: "01_naive" in self.text("source"), "the next program")
        self.assertFalse(self.element("notice").is_displayed())
        self.wait(lambda: self.time_after(0.1) > before, "its first frame")
        self.assertLess(self.time_after(0) - before, 1000)
        self.wait(lambda: "simd" in self.text("ladder") and "01_naive" in self.text("ladder"), "both rows")
        self.press("0")
        self.wait(lambda: "simd" in self.text("source"), "the first program")
