"""The slides and the cheat sheet of the built site, in headless Chromium: tools.course_browser_test FOLDER.

Every slide holds what it has; the cheat sheet is one page of A4 and of Letter, and so is each slide.
"""

import base64
import re
import sys
from pathlib import Path

from common.tests.tools.case import BrowserTest, skip_without_site
from common.tools.build import step_names
from common.tools.docs import browser, slides
from common.tools.docs.sheet import PRINTED

FOLDER = Path(sys.argv.pop()).resolve()
PAPERS = {"A4": (8.27, 11.69), "Letter": (8.5, 11)}  # inches
FITTED = "return document.body.dataset.fitted === 'yes'"
# Slides that are cut off, and pictures too small to see from a seat.
CUT = """return [...document.querySelectorAll('section')].filter((slide) => {
  const picture = slide.querySelector('figure > svg, figure > img');
  return slide.scrollHeight > slide.clientHeight || slide.scrollWidth > slide.clientWidth ||
    (picture && picture.getBoundingClientRect().height < 150);
}).map((slide) => slide.id)"""


def setUpModule():
    skip_without_site(FOLDER)


class Built(BrowserTest):
    WINDOW = {"width": 1280, "height": 720}

    def show(self, name):
        self.browser.get((FOLDER / name).as_uri())

    def pages_printed(self, **options):
        made = self.browser.execute_cdp_cmd("Page.printToPDF", options)
        return len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(made["data"])))

    def test_every_slide_holds_what_it_has(self):
        for step in step_names():
            with self.subTest(step):
                self.show(slides.name_of(step))
                browser.wait_until(lambda: self.browser.execute_script(FITTED), "the slides to be fitted")
                self.assertEqual(self.browser.execute_script(CUT), [])
        log = self.browser.get_log("browser")
        self.assertEqual([entry["message"] for entry in log if entry["level"] == "SEVERE"], [])

    def test_a_key_turns_and_a_slide_is_a_page(self):
        step = step_names()[1]
        self.show(slides.name_of(step))
        browser.wait_until(lambda: self.browser.execute_script(FITTED), "the slides to be fitted")
        self.browser.find_element("tag name", "body").send_keys("\ue014")
        shown = "return Math.round(scrollY / innerHeight) + 1"
        browser.wait_until(lambda: self.browser.execute_script(shown) == 2, "slide 2")
        count = len(slides.Deck((FOLDER / f"step_{step[:2]}.html").read_text()).slides)
        self.assertEqual(self.pages_printed(preferCSSPageSize=True), count)

    def test_the_cheat_sheet_is_one_page(self):
        self.show(PRINTED)
        for name, (width, height) in PAPERS.items():
            with self.subTest(name):
                self.assertEqual(self.pages_printed(paperWidth=width, paperHeight=height), 1)
        self.assertGreater(self.pages_printed(paperWidth=4, paperHeight=5), 1)  # the count does count
