"""What the pictures of steps 07 to 10 show, in headless Chromium. The test of the site tries their buttons and sliders.

Step 07: its tree is the one that is divided from the root down. Step 08: what its ranks do sums each pull once. Shares are sets of
two halves here, and messages move sets from buffer to buffer. Step 09: its numbers have 11 bits or twice as many, and the errors
that it names are those of a direct sum. Step 10: each other body acts once, as the rules of the lists allow, and errors fall with
the tolerance.
"""

import itertools
import math
import random
from collections import Counter, defaultdict

from common.base.command_line import ROOT
from common.tests.tools.case import BrowserTest, skip_without_browser

LOAD = """
  document.body.innerHTML = '<figure class="widget" id="NAME" aria-label="NAME"></figure>';
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
RANKS_DO = "return [...Array(arguments[1]).keys()].map((rank) => widgets.exchange(arguments[0], rank, arguments[1]))"
TILES = "return arguments[0].map(([rows, columns]) => widgets.tensorTile(rows, columns, arguments[1], arguments[2]))"
# Finds what acts on body 0 of some planes; cells are lists of their bodies' numbers.
PLANES = """
  return arguments[0].map((bodies) => {
    const numbers = (cells) => cells.map((c) => c.held.map((b) => bodies.indexOf(b)));
    const { targets, points, leaves, force, error, walk } = widgets.multipolePlane(bodies, 0, arguments[1]);
    return { targets: targets.map(({ level, cell, cells }) => ({ level, held: numbers([cell])[0], cells: numbers(cells) })),
      points: numbers(points), leaves: numbers(leaves), force, error, walk: numbers([...walk.cells, ...walk.leaves]) };
  });
"""
EXCHANGES = [(kind, ranks) for kind in ("gather", "ring", "pairs") for ranks in range(1, 9)]


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


def halves(part):
    return {(part["rank"], half) for half in range(part["begin"], part["end"])}


class Ranks:
    """The contents of each rank's buffers: halves of shares, or (half that feels, half that pulls)."""

    def __init__(self, hosts):
        self.buffers = [{"own": {(rank, 0), (rank, 1)}} for rank in range(len(hosts))]
        self.sums = [Counter() for _ in hosts]
        for operations in zip(*hosts):  # the same of every rank
            assert len({(o["does"], o["stream"], o.get("event")) for o in operations}) == 1
            if operations[0]["does"] == "travel":
                self.travel(operations)
            for rank, operation in enumerate(operations):
                if operation["does"] == "sum":
                    self.sum(rank, operation)
                if operation["does"] == "add":
                    self.sums[rank].update(self.buffers[rank][operation["from"]["buffer"]])

    def travel(self, operations):
        """The k-th of what a rank sends another is the k-th that it receives."""
        sent, arrived = defaultdict(list), defaultdict(set)
        for rank, operation in enumerate(operations):
            for message in operation["sends"]:
                sent[rank, message["to"]].append((message["part"], self.buffers[rank][message["buffer"]]))
        for rank, operation in enumerate(operations):
            for message in operation["receives"]:
                part, data = sent[message["from"], rank].pop(0)
                assert part == message["part"], "another length"
                arrived[rank, message["buffer"]] |= data
        assert not any(sent.values()), "nobody receives it"
        for (rank, buffer), data in arrived.items():
            self.buffers[rank][buffer] = data

    def sum(self, rank, operation):
        rows, columns = halves(operation["rows"]["part"]), set()
        for bodies in operation["columns"]:
            assert halves(bodies["part"]) <= self.buffers[rank][bodies["buffer"]], "other bodies"
            columns |= halves(bodies["part"])
        self.sums[rank].update(itertools.product(rows, columns))
        if operation.get("reactions"):
            self.buffers[rank][operation["reactions"]["buffer"]] = set(itertools.product(columns, rows))


class Widget(BrowserTest):
    NAME = "ring"

    def setUp(self):
        self.browser.get("about:blank")
        scripts = [(ROOT / "docs" / "widgets" / f"{name}.js").read_text() for name in ("widgets", self.NAME)]
        self.browser.execute_script(LOAD.replace("NAME", self.NAME), *scripts)


class DeviceTree(Widget):
    NAME = "device-tree"

    def test_the_tree_is_the_one_from_the_root_down(self):
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


class Ring(Widget):
    def hosts(self, kind, ranks):
        return self.browser.execute_script(RANKS_DO, kind, ranks)

    def test_every_body_feels_every_other_once(self):
        for kind, ranks in EXCHANGES:
            with self.subTest(kind=kind, ranks=ranks):
                every = set(itertools.product(range(ranks), range(2)))
                for rank, sums in enumerate(Ranks(self.hosts(kind, ranks)).sums):
                    self.assertEqual(sums, Counter(itertools.product({(rank, 0), (rank, 1)}, every)))


def bits(x):
    """How many significant bits a number has."""
    return len(bin(int(math.ldexp(abs(math.frexp(x)[0]), 53))).rstrip("0")) - 2 if x else 0


class TensorTile(Widget):
    NAME = "tensor-tile"

    def tiles(self, two_parts):
        """Bodies of rows and of columns, and what becomes of them."""
        made = random.Random(9)

        def side(at):
            return [{"x": at + made.uniform(-0.5, 0.5), "y": made.uniform(-0.5, 0.5), "m": made.uniform(1, 2)} for _ in range(4)]

        bodies = [(side(0), side(2)) for _ in range(50)]
        return zip(bodies, self.browser.execute_script(TILES, bodies, 0.01, two_parts))

    def test_elements_are_rounded_and_errors_are_those_of_a_direct_sum(self):
        for two_parts, of_elements, of_squares, of_sums in ((False, 2**-11, 1e-2, 1e-2), (True, 2**-22, 1e-6, 1e-3)):
            for (rows, columns), tile in self.tiles(two_parts):
                if not two_parts:
                    self.assertLessEqual(max(bits(x) for row in tile["rowElements"] + tile["columnElements"] for x in row), 11)
                self.assertLessEqual(max(bits(s) for row in tile["s"] for s in row), 11)
                for i, a in enumerate(rows):
                    self.assertLessEqual(abs(tile["rowElements"][i][0] / a["x"] - 1), of_elements)
                    exact = [0, 0]
                    for j, b in enumerate(columns):
                        r = b["x"] - a["x"], b["y"] - a["y"]
                        squared = r[0] ** 2 + r[1] ** 2 + 0.01
                        self.assertAlmostEqual(tile["squareErrors"][i][j], abs(tile["squares"][i][j] / squared - 1), 12)
                        self.assertLess(tile["squareErrors"][i][j], of_squares)
                        exact = [sum + b["m"] * squared ** -1.5 * x for sum, x in zip(exact, r)]
                    wrong = math.dist(exact, tile["accelerations"][i]) / math.hypot(*exact)
                    self.assertAlmostEqual(tile["errors"][i], wrong, 12)
                    self.assertLess(wrong, of_sums)


class Cell:
    """Centre, radius and rho of some bodies; 1/1024 of a side is the least radius of a single one, here 0."""

    def __init__(self, bodies):
        self.mass = len(bodies)
        self.centre = [sum(b[axis] for b in bodies) / self.mass for axis in "xy"]
        far = [math.dist(self.centre, (b["x"], b["y"])) for b in bodies]
        self.radius = max(far) if self.mass > 1 else 0
        self.rho = 0.2 * self.radius + 0.8 * math.hypot(*far) / self.mass ** 0.5 if self.mass > 1 else 0


class MultipolePlane(Widget):
    NAME = "multipole-plane"
    LEAF, SOFTENING = 4, 0.02

    def found(self, planes, order, tolerance):
        settings = {"order": order, "tolerance": tolerance, "leaf": self.LEAF, "levels": 3, "softeningSquared": self.SOFTENING ** 2}
        return self.browser.execute_script(PLANES, planes, settings)

    @staticmethod
    def clump(made, count, at, width):
        return [{"x": made.gauss(at, width) % 1, "y": made.gauss(at, width) % 1} for _ in range(count)]

    def planes(self, count=20):
        made = random.Random(10)
        return [self.clump(made, 60, 0.3, 0.05) + self.clump(made, 200, 0.65, 0.12) for _ in range(count)]

    def pull(self, bodies, at=0):
        sums = [0, 0]
        for other in bodies:
            r = [other[axis] - bodies[at][axis] for axis in "xy"]
            sums = [sum + x * (math.hypot(*r) ** 2 + self.SOFTENING ** 2) ** -1.5 for sum, x in zip(sums, r)]
        return sums

    def test_every_other_body_acts_once_as_the_rules_allow(self):
        planes = self.planes(5)
        for order, tolerance in ((3, 0.01), (5, 0.001), (2, 1e6)):  # the last: by distance alone
            for bodies, found in zip(planes, self.found(planes, order, tolerance)):
                previous = [math.hypot(*self.pull(bodies, k)) for k in range(len(bodies))]
                cells = [cell for target in found["targets"] for cell in target["cells"]]
                for acting in (cells + found["points"] + found["leaves"], found["walk"]):
                    self.assertEqual(sorted(itertools.chain(*acting)), list(range(len(bodies))))
                self.assertTrue(any(target["cells"] for target in found["targets"][:-1]), "larger targets have work")
                around = set(range(len(bodies)))
                for target in found["targets"]:
                    self.assertLessEqual({0}, set(target["held"]))
                    self.assertLessEqual(set(target["held"]), around)
                    self.assertLess(len(target["held"]), self.LEAF * 8 ** target["level"])
                    around = set(target["held"])
                    a, allowed = Cell([bodies[k] for k in around]), tolerance * sum(previous[k] for k in around) / len(around)
                    for b in (Cell([bodies[k] for k in cell]) for cell in target["cells"]):
                        d, ratio = math.dist(a.centre, b.centre), max(1, a.rho / b.rho) if b.rho else math.inf
                        self.assertLess(a.radius + b.radius, 0.8 * d)
                        self.assertLess(((a.rho + b.rho) / d) ** order * min(len(bodies), b.mass * ratio ** 2) / d ** 2, allowed)
                box = [[bodies[k][axis] for k in around] for axis in "xy"]  # around the leaf, the last target
                for b in (Cell([bodies[k] for k in cell]) for cell in found["points"]):
                    outside = (max(min(held) - at, at - max(held), 0) for held, at in zip(box, b.centre))
                    gap = max(math.dist(a.centre, b.centre) - a.radius, math.hypot(*outside))
                    self.assertLess(b.radius, 0.48 * gap)
                    self.assertLess((b.rho / gap) ** 3 * b.mass / gap ** 2, allowed)

    def test_errors_are_those_of_a_direct_sum_and_follow_the_tolerance(self):
        planes = self.planes()
        for order, tolerance in itertools.product((2, 6), (1e-2, 1e-4)):
            errors = []
            for bodies, found in zip(planes, self.found(planes, order, tolerance)):
                exact = self.pull(bodies)
                errors.append(math.dist(exact, (found["force"]["x"], found["force"]["y"])) / math.hypot(*exact))
                self.assertAlmostEqual(found["error"], errors[-1], 12)
            self.assertLess(sorted(errors)[len(errors) // 2], 5 * tolerance, (order, tolerance))
            self.assertGreater(sum(errors), 0)
