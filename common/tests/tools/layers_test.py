"""The rule in common/README.md: what a file of common/ or of a step may include or import."""

import re
import unittest

from common.base.command_line import ROOT

RULE = (ROOT / "common" / "README.md").read_text()
ORDER = re.findall(r"^\| `(\w+)` \|", RULE, re.MULTILINE)[::-1]  # from the lowest folder up
STEPS_UP_TO = re.search(r"A step may use only `(\w+)`", RULE)[1]
INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')
IMPORT = re.compile(r"\s*(?:from\s+common\.(\w+)|import\s+common\.(\w+)|from\s+common\s+import\s+(\w+))")
FROM = re.compile(r"^\s*from (common[\w.]*) import (\([^)]*\)|.+)", re.MULTILINE)
STEP = re.compile(r"\d\d_\w+")
USES = re.compile(r"\bUSES ((?:\d\d_\w+\s*)+)")
# Built once for each step, with its folder among those of the includes.
BUILT_FOR_A_STEP = ("common/tests/", "common/grader/judge/", "common/driver/step.hpp")


def layer(path):
    """The folder of common/ or the step that a file belongs to; None of another. Tests in a folder of common/ may use all folders."""
    parts = path.parts
    if parts[0] == "common" and len(parts) > 2:
        if "tests" in parts:
            return "tests"
        return parts[1] if parts[1] in ORDER else None
    return parts[0] if STEP.fullmatch(parts[0]) else None


def included(root, path, name):
    """The file of the suite that a C++ include means, None of another. It is next to the includer, in its step, in common/, in
    executor/include/, which has CUDA's own headers, in any step, or in the root folder."""
    steps = sorted(folder for folder in root.glob("[0-9][0-9]_*") if folder.is_dir())
    own = [root / path.parts[0]] if STEP.fullmatch(path.parts[0]) else []
    for folder in ((root / path).parent, *own, root / "common", root / "common" / "executor" / "include", *steps, root):
        found = folder / name
        if found.is_file():
            return found.resolve().relative_to(root.resolve())
    return None


def used_by(root, step):
    """The steps whose files a step says that it includes in addition to its own (add_step's USES)."""
    listing = root / step / "CMakeLists.txt"
    found = USES.search(listing.read_text()) if listing.is_file() else None
    return found[1].split() if found else []


def allowed(root, path, target):
    """Whether a file may use a layer."""
    own = layer(path)
    if own == target:
        return True
    if STEP.fullmatch(target):
        return str(path).startswith(BUILT_FOR_A_STEP) or target in used_by(root, own)
    limit = STEPS_UP_TO if STEP.fullmatch(own) else own
    return ORDER.index(target) <= ORDER.index(limit)


def targets(root, path):
    """(line, layer) of each include or import."""
    for number, line in enumerate((root / path).read_text(errors="replace").splitlines(), 1):
        if path.suffix == ".py":
            found = IMPORT.match(line)
            target = next(filter(None, found.groups())) if found else None
        else:
            found = INCLUDE.match(line)
            file = included(root, path, found[1]) if found else None
            target = layer(file) if file else None
        if target:
            yield number, target


def arrows_up(root):
    """"file:line: ..." of each include and import that the design forbids."""
    problems = []
    for suffix in ("py", "cpp", "cu", "hpp", "cuh", "h"):
        for file in sorted([*root.glob(f"common/**/*.{suffix}"), *root.glob(f"[0-9][0-9]_*/**/*.{suffix}")]):
            path = file.relative_to(root)
            if layer(path) in (None, "tests"):
                continue
            problems += [f"{path}:{number}: {layer(path)} uses {target}"
                         for number, target in targets(root, path) if not allowed(root, path, target)]
    return problems


def imported(root):
    """Returns {module: the modules of common/ that it imports}, those that a function imports included."""
    found = {}
    for file in root.glob("common/**/*.py"):
        names = set()
        for package, wanted in FROM.findall(file.read_text()):
            whole = [f"{package}.{name}" for name in re.findall(r"\w+", wanted)]
            names |= {one if (root / f"{one.replace('.', '/')}.py").is_file() else package for one in whole}
        found[".".join(file.relative_to(root).with_suffix("").parts)] = names
    return found


def circle(graph):
    """Returns modules that import each other, in order, the first one again at the end; none if there are none."""
    ended = set()

    def walk(module, path):
        if module in path:
            return [*path[path.index(module):], module]
        if module not in ended:
            for other in sorted(graph.get(module, ())):
                if found := walk(other, [*path, module]):
                    return found
        ended.add(module)
        return []

    return next(filter(None, (walk(module, []) for module in sorted(graph))), [])


class TheSuite(unittest.TestCase):
    def test_no_modules_import_each_other(self):
        self.assertEqual(circle(imported(ROOT)), [])

    def test_no_arrow_goes_up(self):
        self.assertEqual(arrows_up(ROOT), [])

    def test_every_folder_has_its_place(self):
        files = (path for path in (ROOT / "common").glob("*/**/*") if path.is_file() and path.suffix != ".pyc")
        folders = {path.relative_to(ROOT / "common").parts[0] for path in files}
        self.assertEqual(folders, set(ORDER))
