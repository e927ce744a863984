"""The picture of step 07 in headless Chromium: its tree is the one that is divided from the root down."""

import random

from common.base.command_line import ROOT
from common.tests.tools.case import BrowserTest, skip_without_browser

LOAD = """
  document.body.innerHTML = '<figure class="widget" id="device-tree" aria-label="a tree"></figure>';
  for (const text of arguments) document.body.appendChild(document.createElement('script')).textContent = text;
"""
# What is shown after each of so many presses of a button.
PRESS = """
  const figure = document.getElementById('device-tree'), [words, times] = arguments;
  const button = [...figure.querySelectorAll('button')].find((one) => one.textContent === words);
  return [...Array(times)].map(() => {
    button.click();
    const texts = [...figure.querySelectorAll('svg text')];
    return { said: figure.querySelector('.widget-said').textContent, links: figure.querySelectorAll('svg .sc').length,
             keys: texts.map((text) => text.textContent).filter((text) => /^[0-3]{3}$/.test(text)) };
  });
"""
TREES = """return arguments[0].map(([keys, leaf, group, groupsWithin]) =>
  widgets.deviceTree(keys, { leaf, group, groupsWithin }))"""
setUpModule = skip_without_browser


class Model:
    """The tree of sorted keys, divided from the root down: {(first, end): level} of nodes, {(first, end): node} of the
    cells that have a parent, and the bodies before which a cell of so many ends."""

    def __init__(self, keys, leaf):
        self.keys, self.leaf = keys, leaf
        self.nodes, self.leaves, self.parents, self.faces = {}, set(), {}, {}
        self.divide(0, len(keys), None)

    def divide(self, first, end, parent):
        if parent:
            self.parents[first, end] = parent
        ends = self.keys[first], self.keys[end - 1]
        if end - first < self.leaf or ends[0] == ends[1]:
            self.leaves.add((first, end))
            return
        level = next(k for k, (a, b) in enumerate(zip(*ends)) if a != b)  # cells with one child are passed over
        self.nodes[first, end] = level
        begin = first
        for i in range(first + 1, end + 1):
            if i == end or self.keys[i][level] != self.keys[begin][level]:
                self.divide(begin, i, (first, end))
                begin = i
                self.faces[i] = end - first
        del self.faces[end]

    def groups(self, group, within):
        every = Model(self.keys, 1)
        return [i for i in range(len(self.keys)) if i % group == 0 or every.faces.get(i, 0) >= within * group]


def hostile_keys():
    """(Sorted keys of up to 45 bodies, limits): few digits, many, all alike, long chains."""
    draw = random.Random(7)
    for number in range(600):
        base, digits, count = draw.choice([2, 4, 8]), draw.choice([1, 3, 21]), draw.randint(1, 40)
        shared = "0" * draw.randint(0, digits - 1) if number % 3 == 0 else ""
        made = [(shared + "".join(str(draw.randrange(base)) for _ in range(digits)))[:digits] for _ in range(count)]
        made += draw.choices(made, k=draw.randint(0, 5))
        yield sorted(made), draw.randint(2, 9), draw.randint(1, 8), draw.randint(1, 4)


class Widget(BrowserTest):
    def setUp(self):
        self.browser.get("about:blank")
        scripts = [(ROOT / "docs" / "widgets" / f"{name}.js").read_text() for name in ("widgets", "device-tree")]
        self.browser.execute_script(LOAD, *scripts)

    def press(self, words, times=1):
        return self.browser.execute_script(PRESS, words, times)

    def expect_same(self, made, keys, leaf, group, within):
        model = Model(keys, leaf)
        span = lambda cell: (cell["first"], cell["end"])
        self.assertEqual({span(node): node["level"] for node in made["nodes"]}, model.nodes)
        self.assertEqual([span(cell) for cell in made["leaves"]], sorted(model.leaves))
        self.assertEqual([cell["first"] for cell in made["groups"]], model.groups(group, within))
        for cell in made["leaves"] + made["nodes"]:
            parent = model.parents.get(span(cell))
            self.assertEqual(parent, span(made["nodes"][cell["parent"]]) if cell["parent"] >= 0 else None)
            if parent:
                self.assertEqual(cell["child"], keys[cell["first"]][model.nodes[parent]])

    def test_the_tree_is_the_one_from_the_root_down(self):
        hostile = list(hostile_keys())
        for made, (keys, leaf, group, within) in zip(self.browser.execute_script(TREES, hostile), hostile):
            with self.subTest(keys=keys, leaf=leaf, group=group, within=within):
                self.expect_same(made, keys, leaf, group, within)

    def test_presses_lead_to_the_last_link(self):
        for keys_drawn in range(3):
            keys = self.press("Restart")[0]["keys"]
            model = Model(keys, 3)
            cells = len(model.leaves) + len(model.nodes)
            *pressed, shown, once_more = self.press("Next", len(keys) + cells + 1)
            for press in range(len(keys) - 1):
                self.assertRegex(pressed[press]["said"], f"^Gap {press + 1}: {keys[press]} ")
            self.assertEqual(once_more, shown)  # there is no more
            ends = len(model.leaves) - 1  # between leaves, in the same colour
            self.assertEqual(shown["links"], ends + len(model.parents))
            self.assertNotEqual(self.press("Other keys")[0]["keys"], keys)
