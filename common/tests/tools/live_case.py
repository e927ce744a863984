"""What tests of the live view's page share: a browser, and what they read and press in it."""

import atexit
import time
import unittest
from pathlib import Path

from common.tools.docs import browser as tool

LOOK = Path(__file__).with_name("movie_look.js").read_text()


class LivePage(unittest.TestCase):
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

    def element(self, name):
        return self.page.find_element("id", name)

    def text(self, name):
        return self.element(name).get_property("textContent")

    def press(self, key):
        self.element("stage").send_keys(key)

    def look(self):
        self.page.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        return self.page.execute_async_script(LOOK, self.element("stage").screenshot_as_base64)

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
