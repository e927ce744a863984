"""The page of the live view in Chromium: before a double, which is stopped, restarted and has a GPU's speeds; and of a real
program, its clock, its settings and, where the next step is built, a climb."""

import atexit
import json
import sys
import time
import urllib.request
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
    global Double
    skip_without_browser()
    skip_without_websockets()
    from common.live.tests.double import Double  # which needs websockets


class LivePage(PictureTest):
    page = None  # one for all classes of a test program

    @classmethod
    def setUpClass(cls):
        if not LivePage.page:
            LivePage.page = tool.start(requests=True)
            atexit.register(LivePage.page.quit)

    def open(self, link):
        self.page.get(link)
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

    def pause(self):
        self.press(" ")
        self.wait(lambda: self.element("play").get_attribute("aria-pressed") == "false", "the pause")


class OfTheDouble(LivePage):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with Served(PROGRAM, "--bodies=100") as run, urllib.request.urlopen(run.link) as page:
            cls.html = page.read()

    def setUp(self):
        self.double = Double(self.html)
        self.addCleanup(self.double.stop)

    def open(self):
        super().open(self.double.link())

    def asks(self, act, *messages):
        """Does it, and the program is asked for that, and for nothing else."""
        self.double.asked.clear()
        act()
        self.wait(lambda: len(self.double.asked) >= len(messages), messages)
        self.assertEqual(self.double.asked, list(messages))


class WhatItShows(OfTheDouble):
    def test_draws_what_comes_and_loads_nothing_else(self):
        self.page.get("about:blank")  # the page of the test before looks for its program
        self.page.get_log("performance"), self.page.get_log("browser")
        self.open()
        self.assertGreater(self.look()["lit"], 1e-3)
        self.see_change(lambda: time.sleep(0.3))
        self.assertEqual(self.page.title, "merger: 1,000 bodies, live")
        events = [json.loads(entry["message"])["message"] for entry in self.page.get_log("performance")]
        asked = {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
        self.assertEqual({url for url in asked if not url.startswith(("data:", "about:"))}, {self.double.link()})
        self.assertEqual([e for e in self.page.get_log("browser") if e["level"] in ("SEVERE", "WARNING")], [])

    def test_figures_ladder_and_drift(self):
        self.open()
        for key in "123":
            self.press(key)
            self.wait(lambda: f"0{key}_" in self.text("ladder"), "the next row")
        self.assertEqual(len(self.page.find_elements("css selector", "#ladder tbody")), 4)
        last = self.page.find_elements("css selector", "#ladder tbody:last-child td")
        self.assertEqual(last[2].text, "1.0")  # times as fast as step 01, which has the same made-up speed
        self.assertEqual((self.text("gflops"), self.text("ceilingShare")), ("42,000", "65.0%"))
        self.assertEqual(self.text("error"), "2.0 \u00d7 10\u207b\u2077")
        self.wait(lambda: len(self.page.find_elements("css selector", "#drift polyline")) == 2, "both lines")
        self.assertIn("momentum 1.0 \u00d7 10\u207b\u2079", self.element("drift").get_attribute("aria-label"))

    def test_on_the_executor_no_speeds(self):
        self.double.run["kind"] = "executor"
        self.double.tell_run()
        self.open()
        self.wait(lambda: self.element("no-speeds").is_displayed(), "the words")
        self.assertFalse(self.element("gflops").is_displayed())
        self.assertNotIn("901", self.text("ladder"))
        self.assertIn("109 ms, 5.7 times as fast as 01, for 1,048,576 bodies on an NVIDIA H200", self.text("ladder"))

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


class WhatItAsks(OfTheDouble):
    def test_keys(self):
        self.open()
        self.asks(lambda: self.press(" "), {"do": "pause"})
        self.wait(lambda: self.element("play").get_attribute("aria-label") == "Play", "the pause")
        self.asks(lambda: self.press("s"), {"do": "step"})
        self.asks(lambda: self.press("n"), {"do": "reset"})
        self.asks(lambda: self.press("c"), {"set": {"colour": "speed"}})
        self.wait(lambda: "speed" in self.text("legend"), "the ramp")
        self.asks(lambda: self.press("-"), {"set": {"bodies": 4096}})
        self.asks(lambda: self.press("+"), {"set": {"bodies": 1048576}})
        self.asks(lambda: self.press("2"), {"climb": 2})
        self.wait(lambda: "02_tiled" in self.text("source"), "the next program")  # none is asked before it is there
        self.asks(lambda: self.press("9"), {"climb": 9})
        self.wait(lambda: "no program has been built for key 9" in self.text("refusal"), "the reason")
        self.asks(lambda: self.press("s"), {"do": "step"})

    def test_settings(self):
        keys = tool.webdriver.Keys
        self.open()
        dt = self.element("setting-dt")
        self.asks(lambda: dt.send_keys(keys.BACKSPACE * 9 + "0.02" + keys.ENTER), {"set": {"dt": 0.02}})
        self.asks(lambda: dt.send_keys(keys.BACKSPACE * 9 + "7" + keys.ENTER), {"set": {"dt": 7}})
        self.wait(lambda: "time step: is 1e-06 to 1" in self.text("refusal"), "the refusal")
        self.assertEqual(dt.get_property("value"), "0.02")
        self.asks(lambda: self.element("setting-scene").send_keys("p"), {"set": {"scene": "plummer"}})
        self.asks(lambda: self.element("setting-walk").send_keys("f"), {"set": {"walk": "fused"}})
        slider = self.page.find_element("css selector", "#setting-bodies + input")
        self.asks(lambda: slider.send_keys(keys.ARROW_RIGHT), {"set": {"bodies": 2048}})

    def test_mouse_and_touch_move_the_view(self):
        self.open()
        self.pause()
        stage = self.element("stage")
        drag = tool.webdriver.ActionChains(self.page, duration=20).click_and_hold(stage).move_by_offset(80, 30).release()
        self.see_change(drag.perform)
        self.see_change(lambda: [self.touch("touchStart", 150, 250), self.touch("touchMove", 100, 300), self.touch("touchEnd")])
        self.asks(lambda: [self.touch("touchStart", 150), self.touch("touchEnd")], {"do": "play"})


class WhatItOutlives(OfTheDouble):
    def test_a_climb_and_a_network_that_was_away(self):
        self.open()
        self.press("3")
        for _ in range(10):
            self.assertFalse(self.element("notice").is_displayed())
        self.wait(lambda: "03_unrolled" in self.text("source"), "the next program")
        self.double.stop()
        self.wait(lambda: "connection is lost" in self.text("notice"), "the notice")
        self.double.start()
        self.wait(lambda: not self.element("notice").is_displayed(), "the connection")
        self.see_change(lambda: time.sleep(0.3))

    def test_a_program_that_was_started_anew(self):
        self.open()
        self.double.stop()
        self.double.token = None
        self.double.start()
        self.wait(lambda: "no longer valid" in self.text("notice"), "the notice")


class RealProgram(LivePage):
    def setUp(self):
        self.program = self.enterContext(Served(PROGRAM, "--scene=merger", "--bodies=600", "--dt=0.1"))

    def type_in(self, name, text):
        self.element(f"setting-{name}").send_keys(tool.webdriver.Keys.BACKSPACE * 12 + text + tool.webdriver.Keys.ENTER)

    def steps(self):
        return int(self.text("steps").replace(",", ""))

    def test_plays_pauses_steps_and_begins_anew(self):
        self.open(self.program.link)
        self.wait(lambda: self.steps() > 10, "ten steps")
        self.pause()
        self.wait(lambda: len({self.time_after(0.2) for _ in range(3)}) == 1, "the last frame")
        before = self.time_after(0)
        self.press("s")
        self.wait(lambda: abs(self.time_after(0) - before - 0.1) < 1e-6, "one step")
        self.press("n")
        self.wait(lambda: self.time_after(0) == 0, "the first moment")

    def test_settings_are_changed_or_refused(self):
        self.open(self.program.link)
        self.type_in("bodies", "900")
        self.wait(lambda: "900 bodies" in self.text("source"), "more bodies")
        self.type_in("dt", "-1")
        self.wait(lambda: self.element("refusal").is_displayed(), "the refusal")
        self.assertEqual(self.element("setting-dt").get_property("value"), "0.1")
        self.element("setting-scene").send_keys("pl")
        self.wait(lambda: self.text("scene") == "plummer", "the other scene")
        self.wait(lambda: self.look()["lit"] > 1e-3, "its bodies")

    def test_climbs_while_it_goes_on(self):
        if not NEXT.exists():
            self.skipTest(f"{NEXT.name} is not built")
        self.open(self.program.link)
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
