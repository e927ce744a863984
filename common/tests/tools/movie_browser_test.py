"""A movie in a real browser: makes one with the program given, plays it in Chromium and looks at the pictures."""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common.tests.tools.case import InFolder, PictureTest, skip_without_browser
from common.tools.docs import browser as tool

PROGRAM = sys.argv.pop()
FRAMES = 31


def setUpModule():
    skip_without_browser()


class Movie(PictureTest):
    @classmethod
    def setUpClass(cls):
        cls.movie = Path(tempfile.mkdtemp()) / "a movie.html"
        cls.addClassCleanup(shutil.rmtree, cls.movie.parent)
        subprocess.run([PROGRAM, "--scene=merger", "--bodies=600", "--steps=120", "--dt=0.5", "--frame-every=4",
                        "--no-check", "--repeats=1", "--movie", cls.movie], check=True, stdout=subprocess.DEVNULL)
        cls.page = tool.start(requests=True, width=640, height=400)
        cls.addClassCleanup(cls.page.quit)

    def open(self, wishes="paused"):
        tool.open_movie(self.page, self.movie, wishes)
        # Only the bodies are to be compared, at once; what is transparent can still be clicked.
        self.page.execute_script("const s = document.createElement('style');"
                                 "s.textContent = '#readout, #controls, #legend { opacity: 0 !important; transition: none }';"
                                 "document.head.append(s)")
        self.look()

    def look(self):
        self.next_picture()
        return self.page.execute_async_script(self.LOOK, self.page.get_screenshot_as_base64())

    def see_change(self, act):
        """Does it, and the picture is another one."""
        act()
        look = self.look()
        self.assertGreater(look["different"], 1e-4)
        self.assertGreater(look["lit"], 1e-3)

    def press(self, key):
        """And waits for the picture and the figures after it."""
        self.page.switch_to.active_element.send_keys(key)
        self.next_picture()

    def frame(self):
        return int(self.text("frame").split(" / ")[0])

    def playing(self):
        return self.element("play").get_attribute("aria-pressed") == "true"

    def actions(self):
        return tool.webdriver.ActionChains(self.page, duration=20)

    def test_loads_from_disk_without_network_or_errors(self):
        self.page.get_log("performance"), self.page.get_log("browser")
        self.open()
        events = [json.loads(entry["message"])["message"] for entry in self.page.get_log("performance")]
        asked = {event["params"]["request"]["url"].split("#")[0] for event in events
                 if event["method"] == "Network.requestWillBeSent"}
        self.assertIn(self.movie.as_uri(), asked)
        others = [url for url in asked if url != self.movie.as_uri() and not url.startswith(("data:", "about:"))]
        self.assertEqual(others, [])
        self.assertEqual([e for e in self.page.get_log("browser") if e["level"] in ("SEVERE", "WARNING")], [])
        self.assertFalse(self.element("notice").is_displayed())
        self.assertIn("merger: 600 bodies", self.page.title)
        self.assertGreater(self.look()["lit"], 1e-3)

    def test_plays_and_pauses(self):
        self.open("")
        self.assertTrue(self.playing())
        start = self.frame()
        tool.wait_until(lambda: self.frame() != start, "the next frame")
        self.press(" ")
        self.look()
        self.assertFalse(self.playing())
        paused = self.frame()
        time.sleep(0.3)
        self.assertEqual((self.look()["different"], self.frame()), (0, paused))
        self.element("play").click()
        tool.wait_until(lambda: self.frame() != paused and self.playing(), "the next frame")
        self.element("stage").click()  # a tap
        tool.wait_until(lambda: not self.playing(), "the pause")

    def test_steps_and_scrubs(self):
        keys = tool.webdriver.Keys
        self.open("paused&frame=10")
        self.assertEqual(self.frame(), 10)
        self.see_change(lambda: self.press(keys.ARROW_RIGHT))
        self.assertEqual(self.frame(), 11)
        self.see_change(lambda: self.element("back").click())
        self.press(keys.ARROW_LEFT)
        self.assertEqual(self.frame(), 9)
        self.see_change(lambda: self.press(keys.END))
        self.assertEqual((self.frame(), self.text("time")), (FRAMES, "60.000"))
        self.press(keys.ARROW_RIGHT)
        self.assertEqual(self.frame(), FRAMES)
        self.see_change(lambda: self.element("scrub").click())  # in its middle
        self.assertEqual(self.frame(), FRAMES // 2 + 1)
        self.assertRegex(self.text("drift"), r"^\d\.\d × 10⁻")
        self.assertRegex(self.text("rate"), r"^\d\.\d × 10")

    def test_keys_and_choices(self):
        keys = tool.webdriver.Keys
        self.open("paused&frame=20")
        self.press("x")  # no key of the player's
        self.assertEqual(self.look()["different"], 0)
        self.see_change(lambda: self.press("t"))
        self.see_change(lambda: self.press("c"))
        self.assertIn("slow", self.text("legend"))
        self.see_change(lambda: self.press("c"))
        disk = self.page.find_element("xpath", "//button[starts-with(., 'disk 1')]")
        self.see_change(disk.click)
        for key, speed in [(keys.ARROW_UP, "2"), (keys.ARROW_DOWN, "1")]:
            self.press(key)
            self.assertEqual(self.element("speed").get_property("value"), speed)
        self.press("f")
        tool.wait_until(lambda: self.page.execute_script("return !!document.fullscreenElement"), "full screen")
        self.press("f")
        tool.wait_until(lambda: self.page.execute_script("return !document.fullscreenElement"), "the window")

    def test_mouse_and_touch_move_the_view(self):
        self.open("paused&frame=20")
        stage = self.element("stage")
        self.see_change(lambda: self.actions().click_and_hold(stage).move_by_offset(80, 30).release().perform())
        self.assertFalse(self.playing())
        wheel = {"type": "mouseWheel", "x": 400, "y": 200, "deltaX": 0, "deltaY": -300}
        self.see_change(lambda: self.page.execute_cdp_cmd("Input.dispatchMouseEvent", wheel))
        pan = self.actions().key_down("\ue008").click_and_hold(stage).move_by_offset(60, 0).release().key_up("\ue008")
        self.see_change(pan.perform)  # with shift
        self.see_change(lambda: [self.touch("touchStart", 350, 450), self.touch("touchMove", 250, 550), self.touch("touchEnd")])
        self.see_change(lambda: self.press("r"))
        self.actions().click_and_hold(stage).move_by_offset(80, 30).release().perform()
        self.press("r")
        self.assertEqual(self.look()["different"], 0)

    def test_a_phone_has_room_for_all(self):
        tool.resize(self.page, 360, 640)
        self.addCleanup(tool.resize, self.page, 640, 400)
        tool.open_movie(self.page, self.movie, "paused")
        rects = {name: self.element(name).rect for name in ["readout", "legend", "controls"]}
        for name, rect in rects.items():
            self.assertGreaterEqual(rect["x"], 0, name)
            self.assertLessEqual(rect["x"] + rect["width"], 360, name)
        below = max(rects[name]["y"] + rects[name]["height"] for name in ["readout", "legend"])
        self.assertLess(below, rects["controls"]["y"])
        self.assertLessEqual(rects["readout"]["x"] + rects["readout"]["width"], rects["legend"]["x"])
        for button in self.page.find_elements("css selector", "#controls :is(button, select)"):
            self.assertTrue(button.is_displayed())
            self.assertLessEqual(button.rect["x"] + button.rect["width"], 360)


class WithoutWebGl(InFolder):
    def test_says_so(self):
        page = tool.start("--disable-3d-apis")
        self.addCleanup(page.quit)
        movie = self.folder / "movie.html"
        subprocess.run([PROGRAM, "--bodies=500", "--steps=10", "--no-measure", "--movie", movie], check=True,
                       stdout=subprocess.DEVNULL)
        page.get(movie.as_uri())
        tool.wait_until(lambda: "no WebGL 2" in page.find_element("id", "notice").text, "the notice")
        self.assertFalse(page.find_element("id", "controls").is_displayed())
