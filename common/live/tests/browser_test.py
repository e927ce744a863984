"""The page of the live view in Chromium, with a real program: its picture, figures and settings, a network that fails and, where the
next step is built, a climb."""

import atexit
import json
import re
import signal
import sys
import time
from pathlib import Path

from common.live.tests.client import Served
from common.tests.tools.case import PictureTest, skip_without_browser, skip_without_websockets
from common.tools.docs import browser as tool

PROGRAM = sys.argv.pop()
NEXT = Path(PROGRAM).parents[1] / "01_naive" / "01_naive"
# Elements that reach beyond the window, or have more in them than they show.
CLIPPED = """
  const shown = [...document.querySelectorAll("body *:not(svg *)")].filter((e) => e.checkVisibility());
  const beyond = ({ left, right }) => left < -0.5 || right > innerWidth + 0.5;
  const cut = (e) => !e.matches("input, select") && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1;
  return shown.filter((e) => beyond(e.getBoundingClientRect()) || cut(e)).map((e) => e.outerHTML.slice(0, 80));"""


def setUpModule():
    skip_without_browser()
    skip_without_websockets()


class LivePage(PictureTest):
    page = None  # one for all classes of a test program

    @classmethod
    def setUpClass(cls):
        if not LivePage.page:
            LivePage.page = tool.start(requests=True)
            atexit.register(LivePage.page.quit)

    def setUp(self):
        self.page.get("about:blank")  # the page of the test before looks for its program
        self.program = self.enterContext(Served(PROGRAM, "--scene=merger", "--bodies=600", "--dt=0.1"))

    def open(self):
        self.page.get(self.program.link)
        self.wait(lambda: self.text("time") != "0", "the first frame")

    def wait(self, condition, what):
        tool.wait_until(condition, what)

    def press(self, key):
        self.element("stage").send_keys(key)

    def look(self):
        self.next_picture()
        return self.page.execute_async_script(self.LOOK, self.element("stage").screenshot_as_base64)

    def see_change(self, act):
        self.look()
        act()
        self.assertGreater(self.look()["different"], 1e-4)

    def time_after(self, seconds):
        time.sleep(seconds)
        return float(self.text("time"))

    def steps(self):
        return int(self.text("steps").replace(",", ""))

    def pause(self):
        self.press(" ")
        self.wait(lambda: self.element("play").get_attribute("aria-pressed") == "false", "the pause")
        self.wait(lambda: len({self.time_after(0.2) for _ in range(3)}) == 1, "the last frame")

    def type_in(self, name, text):
        self.element(f"setting-{name}").send_keys(tool.webdriver.Keys.BACKSPACE * 12 + text + tool.webdriver.Keys.ENTER)


class WhatItShows(LivePage):
    def test_draws_what_comes_and_loads_nothing_else(self):
        self.page.get_log("performance"), self.page.get_log("browser")
        self.open()
        self.assertGreater(self.look()["lit"], 1e-3)
        self.see_change(lambda: time.sleep(0.3))
        self.assertEqual(self.page.title, "merger: 600 bodies, live")
        events = [json.loads(entry["message"])["message"] for entry in self.page.get_log("performance")]
        asked = {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
        self.assertEqual({url for url in asked if not url.startswith(("data:", "about:"))}, {self.program.link})
        self.assertEqual([e for e in self.page.get_log("browser") if e["level"] in ("SEVERE", "WARNING")], [])

    def test_figures_ladder_and_drift(self):
        self.open()
        self.wait(lambda: re.fullmatch(r"\d\.\d \u00d7 10\u207b.", self.text("error")), "the error")
        self.assertRegex(self.text("gflops"), r"^\d")
        self.assertRegex(self.text("ladder"), r"simd600\d")
        self.wait(lambda: len(self.page.find_elements("css selector", "#drift polyline")) == 2, "both lines")
        self.assertRegex(self.element("drift").get_attribute("aria-label"), r"energy \d\.\d \u00d7 10.*, momentum \d\.\d \u00d7 10")

    def test_it_draws_fewer_pixels_where_it_is_late_and_more_where_it_has_time(self):
        self.open()
        sharpness = self.page.execute_script("""
            const sky = Object.create(Sky.prototype, {});
            const second = (came, drawn, ticks) => Object.assign(sky, { came, drawn, ticks }).pace() ?? sky.sharpness;
            Object.assign(sky, { sharpness: 1, spare: 0 });
            const late = [...Array(9)].map(() => second(30, 9, 9)).at(-1);
            const soon = second(30, 30, 60), later = [...Array(40)].map(() => second(30, 30, 60)).at(-1);
            return [late, soon, later];""")
        self.assertEqual(sharpness, [0.35, 0.35, 1])

    def test_a_phone_has_room_for_all(self):
        tool.resize(self.page, 360, 740)
        self.addCleanup(tool.resize, self.page, 900, 560)
        self.open()
        self.wait(lambda: "simd" in self.text("ladder"), "the ladder")
        self.assertEqual(self.page.execute_script(CLIPPED), [])
        self.press("c")
        self.wait(lambda: "speed" in self.text("legend"), "the ramp")
        readout, legend, controls = (self.element(name).rect for name in ("readout", "legend", "controls"))
        self.assertLessEqual(readout["x"] + readout["width"], legend["x"])
        self.assertLessEqual(readout["y"] + readout["height"], controls["y"])


class WhatItAsks(LivePage):
    def test_plays_pauses_steps_and_begins_anew(self):
        self.open()
        self.wait(lambda: self.steps() > 10, "ten steps")
        self.pause()
        before = self.time_after(0)
        self.press("s")
        self.wait(lambda: abs(self.time_after(0) - before - 0.1) < 1e-6, "one step")
        self.press("n")
        self.wait(lambda: self.time_after(0) == 0, "the first moment")

    def test_settings_are_changed_or_refused(self):
        self.open()
        self.type_in("bodies", "900")
        self.wait(lambda: "900 bodies" in self.text("source"), "more bodies")
        self.type_in("dt", "-1")
        self.wait(lambda: "time step: must be" in self.text("refusal"), "the refusal")
        self.assertEqual(self.element("setting-dt").get_property("value"), "0.1")
        self.element("setting-scene").send_keys("pl")
        self.wait(lambda: self.text("scene") == "plummer", "the other scene")
        self.wait(lambda: self.look()["lit"] > 1e-3, "its bodies")
        self.press("-")
        self.wait(lambda: "4,096 bodies" in self.text("source"), "few bodies")
        self.page.find_element("css selector", "#setting-bodies + input").send_keys(tool.webdriver.Keys.ARROW_RIGHT)
        self.wait(lambda: "8,192 bodies" in self.text("source"), "twice as many")

    def test_mouse_and_touch_move_the_view(self):
        self.open()
        self.pause()
        stage = self.element("stage")
        drag = tool.webdriver.ActionChains(self.page, duration=20).click_and_hold(stage).move_by_offset(80, 30).release()
        self.see_change(drag.perform)
        self.see_change(lambda: [self.touch("touchStart", 150, 250), self.touch("touchMove", 100, 300), self.touch("touchEnd")])
        self.touch("touchStart", 150), self.touch("touchEnd")
        self.wait(lambda: self.element("play").get_attribute("aria-pressed") == "true", "that it plays")

    def test_climbs_while_it_goes_on(self):
        if not NEXT.exists():
            self.skipTest(f"{NEXT.name} is not built")
        self.open()
        self.wait(lambda: self.time_after(0) > 2, "some steps")
        before = self.time_after(0)
        self.press("1")
        self.wait(lambda: "01_naive" in self.text("source"), "the next program")
        self.assertFalse(self.element("notice").is_displayed())
        self.wait(lambda: self.time_after(0.1) > before, "its first frame")
        self.assertLess(self.time_after(0) - before, 1000)
        self.wait(lambda: "simd" in self.text("ladder") and "01_naive" in self.text("ladder"), "both rows")
        if self.element("no-speeds").is_displayed():  # on the executor
            self.assertFalse(self.element("gflops").is_displayed())
            self.assertRegex(self.text("ladder"), r"[\d.]+ ms, [\d.]+ times as fast as 01, for [\d,]+ bodies on an NVIDIA")
        self.press("0")
        self.wait(lambda: "simd" in self.text("source"), "the first program")


class WhatItOutlives(LivePage):
    def test_a_network_that_was_away(self):
        self.open()
        self.program.process.send_signal(signal.SIGSTOP)
        try:
            self.wait(lambda: "connection is lost" in self.text("notice"), "the notice")
        finally:
            self.program.process.send_signal(signal.SIGCONT)
        self.wait(lambda: not self.element("notice").is_displayed(), "the connection")
        self.see_change(lambda: time.sleep(0.3))

    def test_a_program_that_was_started_anew(self):
        self.open()
        port = re.search(r":(\d+)/", self.program.link)[1]
        self.program.stop()
        self.enterContext(Served(PROGRAM, "--bodies=600", port=port))
        self.wait(lambda: "no longer valid" in self.text("notice"), "the notice")
