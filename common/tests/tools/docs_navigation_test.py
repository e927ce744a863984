"""Finding one's way in the built site, in headless Chromium: tools.docs_navigation_test FOLDER.

What is searched for is found in a page, the sidebar has every page, previous and next lead through all of them.
"""

import re
import sys
import time
from pathlib import Path

from common.tests.tools.case import BrowserTest, skip_without_site
from common.tools.docs import browser

FOLDER = Path(sys.argv.pop()).resolve()
WORDS = ["occupancy", "barrier", "shared memory", "warp", "bank conflict", "softening", "leapfrog", "race", "ceiling",
         "octree"]
# What is looked for, and the row of the glossary that comes first.
TERMS = {"barrier": "barrier", "warp": "warp", "shared memory": "shared_memory", "occupancy": "occupancy", "octree": "octree",
         "FMA": "fma", "quadrupole": "monopole_multipole_quadrupole", "leapfrog": "leapfrog", "NCCL": "nccl_mpi",
         "race condition": "race", "divergence": "divergent"}
WIDTHS = [1280, 375]
# The links of the sidebar below the groups, in their order; empty until Doxygen's script has made them.
SIDEBAR = """return [...document.querySelectorAll('#nav-tree-contents > ul > li > ul a[href$=".html"]')]
  .filter((link) => link.checkVisibility()).map((link) => link.getAttribute('href'))"""
SHOWS_THE_PAGE = """const of = (name) => document.getElementById(name)?.getBoundingClientRect();
  const page = of('selected'), tree = of('nav-tree');
  return page !== undefined && page.height > 0 && page.top >= tree.top && page.bottom <= tree.bottom"""
FOUND = """return [...document.querySelectorAll('#search-results a')]
  .map((link) => [link.className, link.getAttribute('href'), link.innerText])"""


def pages():
    """The addresses of all pages of the site, by their sources."""
    titles = [path.read_text().splitlines()[0] for path in (FOLDER.parent / "pages").glob("*.md")]
    names = [title.split("{#")[1].rstrip("}") for title in titles]
    return {f"{'index' if name == 'mainpage' else name}.html" for name in names}


def neighbours(page):
    """The addresses that the foot of a page leads to, None where it has no such link."""
    foot = re.search('<nav class="chain".*?</nav>', (FOLDER / page).read_text())[0]
    links = dict(re.findall(r'rel="(\w+)" href="(.*?)"', foot))
    return links.get("prev"), links.get("next")


def setUpModule():
    skip_without_site(FOLDER)


class Navigation(BrowserTest):
    WINDOW = {"width": 1280, "height": 900}

    def show(self, page):
        self.browser.get((FOLDER / page).as_uri())

    def found(self, text, kind="page"):
        """[kind, address, text] of each result for what is typed, once there are some of that kind."""
        field = self.browser.find_element("id", "search-field")
        field.clear()
        field.send_keys(text)
        results = []

        def shown():
            results[:] = self.browser.execute_script(FOUND)
            return any(row[0] == kind and text.lower().split()[0][:4] in row[2].lower() for row in results)

        browser.wait_until(shown, f"results for '{text}'")
        return results

    def test_words_are_found_in_pages(self):
        for width in WIDTHS:
            browser.resize(self.browser, width, 900)
            self.show("index.html")
            for words in WORDS:
                with self.subTest(words=words, width=width):
                    results = self.found(words)
                    self.assertEqual({kind for kind, *_ in results}, {"page"})
                    self.assertLessEqual({address.split("#")[0] for _, address, _ in results}, pages())
                    for word in words.split():
                        self.assertIn(word, results[0][2].lower())
            wide = self.browser.execute_script("return document.documentElement.scrollWidth")
            self.assertLessEqual(wide, width, "the results are wider than the screen")
        browser.resize(self.browser, 1280, 900)

    def test_what_the_glossary_explains_comes_first_from_there(self):
        self.show("index.html")
        for words, row in TERMS.items():
            self.assertEqual(self.found(words)[0][1], f"glossary.html#glossary_{row}")
        # A row that only has the word is not before the page of that name.
        self.assertEqual(self.found("live")[0][1].split("#")[0], "live.html")

    def test_the_reference_comes_when_asked_and_after_the_pages(self):
        self.show("index.html")
        self.found("leapfrog")
        self.browser.find_element("css selector", "#search-results button").click()
        browser.wait_until(lambda: "name" in [row[0] for row in self.browser.execute_script(FOUND)], "names")
        kinds = [row[0] for row in self.browser.execute_script(FOUND)]
        self.assertEqual(kinds, sorted(kinds, key=["page", "name"].index))

    def test_a_result_leads_to_its_heading(self):
        self.show("index.html")
        address = self.found("softening")[0][1]
        self.browser.find_element("id", "search-field").send_keys("\n")
        browser.wait_until(lambda: self.browser.current_url.endswith(address), address)
        top = "return document.getElementById(arguments[0])?.getBoundingClientRect().top ?? -1"
        browser.wait_until(lambda: 0 <= self.browser.execute_script(top, address.split("#")[1]) < 450, "the heading")

    def test_what_is_nowhere_is_said(self):
        self.show("index.html")
        self.browser.find_element("id", "search-field").send_keys("<xyzzy>")
        box = self.browser.find_element("id", "search-results")
        browser.wait_until(lambda: "In no page" in box.text, "an answer")

    def test_the_sidebar_is_scrolled_to_the_page(self):
        for page in ("index.html", "results.html", "bibliography.html", "launches_8hpp.html"):
            self.show(page)
            browser.wait_until(lambda: self.browser.execute_script(SIDEBAR), "the sidebar")
            time.sleep(0.5)  # longer than Doxygen scrolls
            self.assertTrue(self.browser.execute_script(SHOWS_THE_PAGE), page)

    def test_the_sidebar_has_every_page_and_they_form_one_chain(self):
        for start in ("index.html", "bibliography.html"):
            self.show(start)
            browser.wait_until(lambda: len(self.browser.execute_script(SIDEBAR)) > len(pages()) - 2, "the sidebar")
            sidebar = [page for page in self.browser.execute_script(SIDEBAR) if page in pages()]
            self.assertEqual(len(sidebar), len(set(sidebar)), "a page twice")
            # The reference is one entry, which is closed.
            self.assertEqual(set(sidebar) | {"reference.html"}, pages())
        page, before, chain = "index.html", None, []
        while page:
            chain.append(page)
            previous, following = neighbours(page)
            self.assertEqual(previous, before, page)
            page, before = following, page
        self.assertEqual(chain, [*sidebar, "reference.html"])
