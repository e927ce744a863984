"""The built site in headless Chromium: tools.docs_browser_test FOLDER.

Its pages, wide and narrow, light and dark: no error on the console, nothing wider than the screen, every formula set, every picture
answers its controls, previous and next lead through all of them. What is searched for is found, the sidebar has every page. Every
slide holds what it has and nothing that its page folds; the cheat sheet is one page of paper.
"""

import base64
import json
import re
import sys
import unittest
from pathlib import Path

from common.base.command_line import ROOT
from common.tests.tools.case import BrowserTest, skip_without_browser
from common.tools.build import step_names
from common.tools.docs import browser

FOLDER = Path(sys.argv.pop()).resolve()
RESULTS = ROOT / "docs" / "results" / "h200"
WIDTHS = WIDE, NARROW = 1280, 375
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
# After the page has answered a new size.
PAINTED = "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(arguments[0], 0)))"
FORMULAS = """return ['.MathJax_CHTML', '.merror, .MathJax_Error'].map((what) => document.querySelectorAll(what).length)"""
WRITTEN = re.compile(r"\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)  # formulas in a page's file


# Drawings whose words are too small to read, or leave them.
CUT = """return [...document.querySelectorAll('figure > svg')].filter((drawing) => {
    const { left, right } = drawing.getBoundingClientRect(), scale = drawing.getScreenCTM().a;
    return [...drawing.querySelectorAll('text')].filter((text) => text.textContent.trim()).some((text) => {
      const place = text.getBoundingClientRect();
      return place.left < left - 1 || place.right > right + 1 || parseFloat(getComputedStyle(text).fontSize) * scale < 11;
    });
  }).map((drawing) => drawing.parentElement.innerText)"""
# Problems for readers with a keyboard or a screen reader.
ACCESS = """const all = (what) => [...document.querySelectorAll(what)], wrong = [];
  const expect = (right, what) => right || wrong.push(what);
  expect(document.documentElement.lang === 'en', 'no language');
  for (const what of ['h1', 'main', '#sidebar', 'meta[name=description]'])
    expect(all(what).length === 1, `${all(what).length} of ${what}`);
  all('h1, h2, h3, h4, h5').reduce((before, heading) => {
    const level = +heading.tagName[1];
    expect(level <= before + 1, `${heading.tagName} after h${before}: ${heading.textContent}`);
    return level;
  }, 0);
  for (const stop of all('a[href], button, input, select, summary, [tabindex="0"]')) {
    const { width, height } = stop.getBoundingClientRect();
    expect(!stop.checkVisibility() || width && height, `takes the focus unseen: ${stop.outerHTML.slice(0, 80)}`);
    expect(stop.ariaLabel || stop.title || stop.labels?.length || stop.textContent.trim() || stop.querySelector('img, svg'),
      `has no name: ${stop.outerHTML.slice(0, 80)}`);
  }
  for (const image of all('main img'))
    expect(image.alt && image.width && image.height && image.loading === 'lazy', `image without alt or size: ${image.src}`);
  return wrong;"""
# Words with a contrast below 4.5 to what is behind them, or below 3 if they are large.
PALE = """const light = (colour) => colour.slice(0, 3).map((c) => c / 255).map((c) => c <= 0.04 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number), over = ([r, g, b, a = 1], below) =>
    [r, g, b].map((c, k) => a * c + (1 - a) * below[k]);
  const behind = new Map(), ground = (e) => {
    if (!e) return [255, 255, 255];
    if (!behind.has(e)) behind.set(e, over(rgb(getComputedStyle(e).backgroundColor), ground(e.parentElement)));
    return behind.get(e);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), pale = new Set(), seen = new Set();
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(e) || e.closest('svg, script, style')) continue;
    seen.add(e);
    if (!e.checkVisibility({ opacityProperty: true })) continue;
    const style = getComputedStyle(e), size = parseFloat(style.fontSize), below = ground(e), is = light(over(rgb(style.color), below));
    const [low, high] = [is, light(below)].sort((a, b) => a - b), isLarge = size >= 24 || (size >= 18.7 && style.fontWeight >= 700);
    if ((high + 0.05) / (low + 0.05) < (isLarge ? 3 : 4.45)) pale.add(`${e.className || e.tagName}: ${e.textContent.trim().slice(0, 30)}`);
  }
  return [...pale].slice(0, 9);"""
# How far the page jumped while it was loaded.
JUMPED = """const done = arguments[0]; let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => { sum += entry.value; })).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done(sum), 20);"""
FRAMED = """const figure = document.querySelector('figure:has(svg)');
  return [figure.scrollWidth > figure.clientWidth, figure.tabIndex === 0, document.documentElement.scrollWidth <= innerWidth];"""
# Reports, code and tables on a wide screen that hide what is at their right, except for a little that other fonts need.
SCROLLED = """return [...document.querySelectorAll('.contents :is(pre, div.fragment, tbody)')]
  .filter((box) => box.checkVisibility() && box.scrollWidth > 1.05 * box.clientWidth + 1).map((box) => box.innerText.slice(0, 80))"""
# Recorded figures, which are drawn on white, and stay so in the dark. Pictures of galaxies are dark themselves.
WHITE = """return [...document.querySelectorAll('figure img:not([src$=".webp"])')]
  .filter((image) => getComputedStyle(image).filter === 'none')
  .map((image) => image.getAttribute('src'))"""
# Words to look for, and where the first result leads: to the row of the glossary, if it has one.
WORDS = {"barrier": "glossary_barrier", "warp": "glossary_warp", "shared memory": "glossary_shared_memory", "FMA": "glossary_fma",
         "occupancy": "glossary_occupancy", "octree": "glossary_octree", "race condition": "glossary_race",
         "quadrupole": "glossary_monopole_multipole_quadrupole", "leapfrog": "glossary_leapfrog", "NCCL": "glossary_nccl_mpi",
         "divergence": "glossary_divergent", "live": "live.html", "bank conflict": "", "softening": "", "ceiling": ""}
# The links of the sidebar, in their order, and the titles of the groups that are open.
SIDEBAR = """return [...document.querySelectorAll('#pages a')].map((link) => link.getAttribute('href'))"""
OPEN = """return [...document.querySelectorAll('#pages li details[open] > summary')].map((title) => title.textContent)"""
FOUND = """return [...document.querySelectorAll('#search-results a')]
  .map((link) => [link.className, link.getAttribute('href'), link.innerText])"""
LISTS = {"namespaces.html", "annotated.html", "files.html"}  # of the reference, which Doxygen makes
# The addresses that the foot of a page leads to.
NEIGHBOURS = """return ['prev', 'next'].map((way) =>
  document.querySelector(`nav.chain [rel=${way}]`)?.getAttribute('href') ?? null)"""
PAPERS = {"A4": (8.27, 11.69), "Letter": (8.5, 11)}  # inches
FITTED = "return document.body.dataset.fitted === 'yes'"
# Bold words that leave the line of their sentence.
BROKEN_OUT = """return [...document.querySelectorAll("section > p b")].filter(
  (word) => word.previousSibling && getComputedStyle(word).display !== "inline").map((word) => word.textContent)"""
# Slides that are cut off, that show what their page folds, or have nothing to show, and pictures too small to see from a seat.
WRONG_SLIDES = """return [...document.querySelectorAll('section')].filter((slide) => {
  const picture = slide.querySelector('figure > svg, figure > img');
  return slide.scrollHeight > slide.clientHeight || slide.scrollWidth > slide.clientWidth ||
    (picture && picture.getBoundingClientRect().height < 150) || slide.querySelector('details') ||
    slide.querySelectorAll(':scope > :is(h1, h2), footer').length !== 2 || slide.children.length < 3;
}).map((slide) => slide.id)"""


def pages():
    """The names of all pages of the site, by their sources."""
    titles = [path.read_text().splitlines()[0] for path in (FOLDER.parent / "pages").glob("*.md")]
    names = [title.split("{#")[1].rstrip("}") for title in titles]
    return {"index" if name == "mainpage" else name for name in names}


def addresses():
    return {f"{name}.html" for name in pages()}


def setUpModule():
    skip_without_browser()
    if not any(Path("/usr/share/fonts").rglob("LiberationSans-Regular.ttf")):
        raise unittest.SkipTest("fonts-liberation missing")  # DejaVu's letters are wider, so tables scroll
    if not (FOLDER / "index.html").exists():
        raise unittest.SkipTest(f"{FOLDER} has no site; ./run docs builds it")


class ThePages(BrowserTest):
    def set_width(self, width):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})

    def show(self, page, width):
        self.set_width(width)
        self.browser.get((FOLDER / f"{page}.html").as_uri())
        self.browser.execute_async_script(READY)

    def expect_room(self, width):
        script = self.browser.execute_script
        self.assertLessEqual(script("return document.documentElement.scrollWidth"), width)
        self.assertEqual(script(ACCESS), [])
        self.assertEqual(script(CUT), [], "cut off or illegible")
        if width == WIDE:
            self.assertEqual(script(SCROLLED), [], "scroll sideways")

    def prefer(self, scheme):
        preferred = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", preferred)

    def expect_colours(self, scheme):
        script = self.browser.execute_script
        self.prefer(scheme)
        dark = script("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] < 128")
        self.assertEqual(dark, scheme == "dark", "the scheme's colours")
        if scheme == "dark":
            self.assertEqual(script(WHITE), [], "white in the dark")
        self.assertEqual(script(PALE), [], "too pale")

    def test_every_page(self):
        """Loads each page once, on a narrow screen, where it would jump most, and then widens the screen."""
        script = self.browser.execute_script
        self.show("index", NARROW)
        sidebar = script(SIDEBAR)
        self.assertEqual(len(sidebar), len(set(sidebar)), "a page twice")
        self.assertEqual({*sidebar} - LISTS, addresses())
        neighbours = dict(zip(sidebar, map(list, zip([None, *sidebar], [*sidebar[1:], None]))))
        for page in [*sorted(pages()), "cuda_2launch_8hpp"]:
            with self.subTest(page=page):
                self.show(page, NARROW)
                self.assertLess(self.browser.execute_async_script(JUMPED), 0.1, "jumped")
                written = len(WRITTEN.findall((FOLDER / f"{page}.html").read_text()))
                self.assertEqual(script(FORMULAS), [written, 0], "formulas")
                self.assertEqual(script(NEIGHBOURS), neighbours.get(f"{page}.html", [None, None]))
                for width in (NARROW, WIDE):
                    with self.subTest(width=width):
                        if width == WIDE:
                            self.set_width(width)
                            self.browser.execute_async_script(PAINTED)
                        self.expect_room(width)
                for scheme in SCHEMES:
                    with self.subTest(scheme=scheme):
                        self.expect_colours(scheme)
                for figure in self.browser.find_elements("css selector", "figure.widget"):
                    self.assertEqual(script(USE, figure), [], f"{figure.get_attribute('id')}: without effect")
                log = self.browser.get_log("browser")
                self.assertEqual([entry["message"] for entry in log if entry["level"] == "SEVERE"], [])

    def test_the_maps_cover_the_triangle_and_the_root_rounds_as_on_the_gpu(self):
        recorded = json.loads((RESULTS / "maps.json").read_text())["exactness"]
        right = next(run["exact_up_to"] for run in recorded if run["map"] == "lambda-x")
        self.show("maps", 1280)
        # Row r of the picture is wrong where tile rows up to r are not exact.
        self.assertEqual(self.browser.execute_script(MAPS, [right, right + 1]), [[], [False, True]])

    def test_a_drawing_is_scrolled_in_its_frame_on_a_narrow_screen(self):
        self.show("step_02", 375)
        self.assertEqual(self.browser.execute_script(FRAMED), [True, True, True])

    def test_every_picture_is_on_a_page(self):
        there = {path.stem for path in (ROOT / "docs" / "widgets").glob("*.js")}
        self.assertEqual({path.stem for path in FOLDER.glob("*.js")} & there, there)


class Navigation(BrowserTest):
    WINDOW = {"width": 1280, "height": 900}

    def show(self, page):
        self.browser.get((FOLDER / page).as_uri())

    def found(self, text):
        """[kind, address, text] of each result for what is typed, once there are some."""
        field = self.browser.find_element("id", "search-field")
        field.clear()
        field.send_keys(text)
        results = []

        def shown():
            results[:] = self.browser.execute_script(FOUND)
            return any(text.lower().split()[0][:4] in row[2].lower() for row in results)

        browser.wait_until(shown, f"results for '{text}'")
        return results

    def test_words_are_found_in_pages(self):
        self.show("index.html")
        for words, first in WORDS.items():
            with self.subTest(words=words):
                results = self.found(words)
                self.assertIn(first, results[0][1])
                self.assertIn(words.split()[0][:6].lower(), results[0][2].lower())
                self.assertLessEqual({address.split("#")[0] for kind, address, _ in results if kind == "page"}, addresses())
        browser.resize(self.browser, NARROW, 900)
        self.addCleanup(browser.resize, self.browser, WIDE, 900)
        self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), NARROW, "results wider than the screen")
        self.show("index.html")
        self.browser.find_element("id", "search-field").send_keys("<xyzzy>")
        browser.wait_until(lambda: "In no page" in self.browser.find_element("id", "search-results").text, "an answer")

    def test_names_of_the_reference_come_after_the_pages(self):
        self.show("index.html")
        results = self.found("leapfrog")
        self.assertEqual([kind for kind, *_ in results], sorted((kind for kind, *_ in results), key=["page", "name"].index))
        for name in ("computeForces", "DeviceArray"):
            self.assertTrue(next(text for kind, _, text in self.found(name) if kind == "name").startswith(f"{name} "))

    def test_a_result_leads_to_its_heading(self):
        self.show("index.html")
        address = self.found("softening")[0][1]
        self.browser.find_element("id", "search-field").send_keys("\n")
        browser.wait_until(lambda: self.browser.current_url.endswith(address), address)
        top = "return document.getElementById(arguments[0])?.getBoundingClientRect().top ?? -1"
        browser.wait_until(lambda: 0 <= self.browser.execute_script(top, address.split("#")[1]) < 450, "the heading")

    def test_the_sidebar_opens_the_group_of_the_page(self):
        for page, group in (("index.html", []), ("results.html", ["How fast, how exact"]), ("timing_8hpp.html", ["Reference"])):
            self.show(page)
            self.assertEqual(self.browser.execute_script(OPEN), group)


class Slides(BrowserTest):
    WINDOW = {"width": 1280, "height": 720}

    def show(self, name):
        self.browser.get(f"{FOLDER.as_uri()}/{name}")

    def show_slides(self, step):
        self.show(f"step_{step[:2]}.html?slides")
        browser.wait_until(lambda: self.browser.execute_script(FITTED), "the slides to be fitted")

    def pages_printed(self, **options):
        made = self.browser.execute_cdp_cmd("Page.printToPDF", options)
        return len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(made["data"])))

    def test_every_slide_holds_what_it_has(self):
        for step in step_names():
            with self.subTest(step):
                self.show_slides(step)
                self.assertEqual(self.browser.execute_script(WRONG_SLIDES), [])
                self.assertEqual(self.browser.execute_script(BROKEN_OUT), [])
        log = self.browser.get_log("browser")
        self.assertEqual([entry["message"] for entry in log if entry["level"] == "SEVERE"], [])

    def test_a_key_turns_and_a_slide_is_a_page(self):
        self.show_slides(step_names()[1])
        self.browser.find_element("tag name", "body").send_keys("\ue014")
        shown = "return Math.round(scrollY / innerHeight) + 1"
        browser.wait_until(lambda: self.browser.execute_script(shown) == 2, "slide 2")
        self.browser.find_element("css selector", "#turn button").click()
        browser.wait_until(lambda: self.browser.execute_script(shown) == 1, "slide 1 again")
        count = self.browser.execute_script("return document.querySelectorAll('section').length")
        self.assertGreater(count, 15)
        self.assertEqual(self.pages_printed(preferCSSPageSize=True), count)

    def test_the_cheat_sheet_is_one_page(self):
        self.show("cheat_sheet.html?sheet")
        for name, (width, height) in PAPERS.items():
            with self.subTest(name):
                self.assertEqual(self.pages_printed(paperWidth=width, paperHeight=height), 1)
        self.assertGreater(self.pages_printed(paperWidth=4, paperHeight=5), 1)  # the count does count
