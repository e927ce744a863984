"""The picture of step 07, in headless Chromium: its tree is the one that is divided from the root down. The test of the site tries the
buttons and sliders of all pictures.
"""

from common.base.command_line import ROOT
from common.tests.tools.case import BrowserTest, skip_without_browser

LOAD = """
  document.body.innerHTML = '<figure class="widget" id="device-tree" aria-label="device-tree"></figure>';
  for (const text of arguments) document.body.appendChild(document.createElement('script')).textContent = text;
"""
# Presses a button some times and returns the keys that are drawn after each press.
PRESS = """
  const figure = document.getElementById('device-tree'), [words, times] = arguments;
  const button = [...figure.querySelectorAll('button')].find((one) => one.textContent === words);
  return [...Array(times)].map(() => {
    button.click();
    return [...figure.querySelectorAll('svg text')].map((text) => text.textContent).filter((text) => /^[0-3]{3}$/.test(text));
  });
"""
TREES = "return arguments[0].map((keys) => widgets.deviceTree(keys, { leaf: 3, group: 4, groupsWithin: 3 }))"


def setUpModule():
    skip_without_browser()


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


class DeviceTree(BrowserTest):
    def test_the_tree_is_the_one_from_the_root_down(self):
        self.browser.get("about:blank")
        self.browser.execute_script(LOAD, *((ROOT / "docs" / "widgets" / f"{name}.js").read_text() for name in ("widgets", "device-tree")))
        drawn = self.browser.execute_script(PRESS, "Other keys", 50)
        span = lambda cell: (cell["first"], cell["end"])
        for keys, made in zip(drawn, self.browser.execute_script(TREES, drawn)):
            with self.subTest(keys=keys):
                model = Model(keys, 3)
                self.assertEqual({span(node): node["level"] for node in made["nodes"]}, model.nodes)
                self.assertEqual([span(cell) for cell in made["leaves"]], sorted(model.leaves))
                self.assertEqual([cell["first"] for cell in made["groups"]], model.groups(4, 3))
                for cell in made["leaves"] + made["nodes"]:
                    parent = model.parents.get(span(cell))
                    self.assertEqual(parent, span(made["nodes"][cell["parent"]]) if cell["parent"] >= 0 else None)
                    if parent:
                        self.assertEqual(cell["child"], keys[cell["first"]][model.nodes[parent]])
