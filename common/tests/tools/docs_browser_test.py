"""The built pages in headless Chromium, wide and narrow, light and dark: tools.docs_browser_test FOLDER.

No error on the console, nothing wider than the screen, every formula set, every picture answers its controls.
"""

import json
import sys
from pathlib import Path

from common.base.command_line import ROOT
from common.tests.tools.case import BrowserTest, skip_without_site
from common.tools.docs import browser

FOLDER = Path(sys.argv.pop()).resolve()
RESULTS = ROOT / "docs" / "results" / "h200"
WIDTHS = [1280, 375]
SCHEMES = ["light", "dark"]
# Moves each control of a picture and says which changed nothing; buttons are pressed in turn.
USE = """
  const idle = [], figure = arguments[0], drawing = figure.querySelector('svg');
  const changed = (act) => { const before = drawing.innerHTML; act(); return drawing.innerHTML !== before; };
  const fire = (input, name) => input.dispatchEvent(new Event(name, { bubbles: true }));
  for (const input of figure.querySelectorAll('input[type=range]'))
    if (!changed(() => { input.value = +input.value === +input.max ? input.min : input.max; fire(input, 'input'); }))
      idle.push(input.parentElement.textContent);
  for (const input of figure.querySelectorAll('select'))
    if (!changed(() => { input.selectedIndex = 0; fire(input, 'input'); })) idle.push(input.parentElement.textContent);
  const buttons = [...figure.querySelectorAll('button')];
  buttons.find((button) => button.textContent === 'Next')?.click();  // from the beginning nothing leads back
  for (const button of buttons)
    if (!changed(() => button.click())) idle.push(button.textContent);
  const keyed = figure.querySelector('svg[tabindex]') || figure.querySelector('button');
  if (keyed && !changed(() => keyed.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))))
    idle.push('arrow key');
  if (!keyed && !figure.querySelector('input, select')) idle.push('no control');
  return idle;
"""
# The maps, and sizes, for which the picture's tiles are not each tile of the triangle once; and what it says of rows.
MAPS = """
  const figure = document.getElementById('maps'), wrong = [], rows = arguments[0], said = [];
  const set = (input, value) => { input.value = value; input.dispatchEvent(new Event('input', { bubbles: true })); };
  const [m, , row] = figure.querySelectorAll('input');
  for (const { value } of figure.querySelector('select').options) {
    set(figure.querySelector('select'), value);
    for (let k = 0; k <= +m.max; ++k) {
      set(m, k);
      const tiles = [...figure.querySelectorAll('rect')].filter((r) => r.x.baseVal.value >= 340);
      const places = new Set(tiles.map((r) => r.getAttribute('x') + ' ' + r.getAttribute('y')));
      if (places.size !== tiles.length || tiles.length !== (k + 1) * (k + 2) / 2) wrong.push(value + ' ' + (k + 1));
    }
  }
  for (let k = 0; k <= +row.max; ++k) {
    set(row, k);
    if (rows.includes(+row.getAttribute('aria-valuetext'))) said.push(figure.querySelector('.wrong') !== null);
  }
  return [wrong, said];
"""
# Asked within the page: from here each question costs as much as some formulas.
READY = """const done = arguments[0], set = () => typeof MathJax === 'undefined' ||
    (MathJax.isReady && MathJax.Hub.queue.pending === 0 &&
     document.querySelectorAll('.MathJax_Preview:not(:empty)').length === 0);
  const ask = () => document.readyState === 'complete' && set() ? done() : setTimeout(ask, 10);
  ask()"""
FORMULAS = """return [document.querySelectorAll('script[type^="math/tex"]').length,
  document.querySelectorAll('.MathJax_SVG > svg').length,
  document.querySelectorAll('.merror, .MathJax_Error').length]"""


# On a narrow screen: drawings that are cut off, or whose words are too small to read or leave them.
CUT = """const inside = (r) => r.left > -1 && r.right < innerWidth + 1;
  return [...document.querySelectorAll('figure > svg, figure > img')].filter((drawing) => {
    const words = [...drawing.querySelectorAll('text')].filter((text) => text.textContent.trim());
    return !inside(drawing.getBoundingClientRect()) || !words.every((text) => inside(text.getBoundingClientRect())) ||
      words.some((text) => parseFloat(getComputedStyle(text).fontSize) * drawing.getScreenCTM().a < 7);
  }).map((drawing) => drawing.parentElement.innerText)"""
ENLARGED = """const figure = document.querySelector('figure:has(svg)'), button = document.querySelector('button.enlarge');
  const wide = () => figure.querySelector('svg').getBoundingClientRect().width, fits = wide();
  button.click(); const large = wide(); button.click();
  return [large > 1.3 * fits, wide() === fits, document.documentElement.scrollWidth <= innerWidth];"""
# On a wide screen: reports, code and tables that hide what is at their right, but for a little that other fonts need.
SCROLLED = """return [...document.querySelectorAll('.contents :is(pre, div.fragment, tbody)')]
  .filter((box) => box.scrollWidth > 1.05 * box.clientWidth + 1).map((box) => box.innerText.slice(0, 80))"""
# Recorded figures, which are drawn on white, and stay so in the dark. Pictures of galaxies are dark themselves.
WHITE = """return [...document.querySelectorAll('figure img:not([src$=".webp"])')]
  .filter((image) => getComputedStyle(image).filter === 'none')
  .map((image) => image.getAttribute('src'))"""


def pages():
    """The chapters, the main page, and one of the reference."""
    titles = [path.read_text().splitlines()[0] for path in (FOLDER.parent / "pages").glob("*.md")]
    names = [title.split("{#")[1].rstrip("}") for title in titles]
    return sorted(["index" if name == "mainpage" else name for name in names] + ["launches_8hpp"])


def setUpModule():
    skip_without_site(FOLDER)


class ThePages(BrowserTest):
    def show(self, page, width):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
        self.browser.get((FOLDER / f"{page}.html").as_uri())
        self.browser.execute_async_script(READY)  # 30 s at most

    def expect_in_order(self, width, scheme):
        script = self.browser.execute_script
        preferred = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", preferred)
        self.assertLessEqual(script("return document.documentElement.scrollWidth"), width)
        content = script("const e = document.getElementById('doc-content'); "
                         "return e ? e.scrollWidth - e.clientWidth : 0")
        self.assertLessEqual(content, 0, "the contents scroll sideways")
        written, shown, wrong = script(FORMULAS)
        self.assertEqual((shown, wrong), (written, 0), "formulas")
        dark = script("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] < 128")
        self.assertEqual(dark, scheme == "dark", "the scheme's colours")
        if scheme == "dark":
            self.assertEqual(script(WHITE), [], "white in the dark")
        if width < 600:
            self.assertEqual(script(CUT), [], "cut off or illegible")
        else:
            self.assertEqual(script(SCROLLED), [], "scroll sideways")

    def test_every_page(self):
        script = self.browser.execute_script
        for page in pages():
            for width in WIDTHS:
                with self.subTest(page=page, width=width):
                    self.show(page, width)
                    for scheme in SCHEMES:
                        with self.subTest(scheme=scheme):
                            self.expect_in_order(width, scheme)
                    for figure in self.browser.find_elements("css selector", "figure.widget"):
                        self.assertEqual(script(USE, figure), [], f"{figure.get_attribute('id')}: without effect")
                    log = self.browser.get_log("browser")
                    self.assertEqual([entry["message"] for entry in log if entry["level"] == "SEVERE"], [])

    def test_the_maps_cover_the_triangle_and_the_root_rounds_as_on_the_gpu(self):
        recorded = json.loads((RESULTS / "exactness.json").read_text())["runs"]
        right = next(run["exact_up_to"] for run in recorded if run["map"] == "lambda-x")
        self.show("step_05", 1280)
        # Row r of the picture is wrong where tile rows up to r are not exact.
        self.assertEqual(self.browser.execute_script(MAPS, [right, right + 1]), [[], [False, True]])

    def test_a_drawing_fits_a_narrow_screen_or_is_scrolled_in_its_frame(self):
        self.show("step_02", 375)
        self.assertEqual(self.browser.execute_script(ENLARGED), [True, True, True])

    def test_every_picture_is_on_a_page(self):
        there = {path.stem for path in (ROOT / "docs" / "widgets").glob("*.js")}
        self.assertEqual({path.stem for path in FOLDER.glob("*.js")} & there, there)
