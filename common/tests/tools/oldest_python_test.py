"""No file needs more than Python 3.8: its syntax, and names of the library that came later. What only a run shows, the union
of two variables that hold dicts say, is not seen."""

import ast
import re
import unittest

from common.base.command_line import ROOT

OLDEST = (3, 8)
# Names that came with 3.9 to 3.14 and have no other meaning here. case.py has unittest's enterContext() for older Pythons.
NEWER = set("""
    BooleanOptionalAction ExceptionGroup F_GETPIPE_SZ F_SETPIPE_SZ ParamSpec StrEnum TaskGroup TypeAlias aclosing
    addModuleCleanup add_note assertNoLogs batched bit_count cbrt correlation covariance enterClassContext
    eventfd exp2 file_digest get_annotations graphlib hardlink_to is_relative_to lcm linear_regression
    nextafter orig_argv pairwise pidfd_open randbytes removeprefix removesuffix splice stdlib_module_names sumprod
    to_thread tomllib ulp unparse waitstatus_to_exitcode with_stem zoneinfo""".split())
NEWER_OF = {("functools", "cache"), ("contextlib", "chdir"), ("ast", "indent"), ("ElementTree", "indent"),
            ("datetime", "UTC"), ("types", "NoneType"), ("types", "UnionType"), ("typing", "Self"),
            ("importlib", "resources")}
NEWER_ARGUMENTS = {("zip", "strict"), ("TemporaryDirectory", "ignore_cleanup_errors"), ("dataclass", "kw_only"),
                   ("dataclass", "slots"), ("write_text", "newline"), ("glob", "root_dir"), ("Popen", "user"),
                   ("Popen", "process_group"), ("run", "process_group"), ("ArgumentParser", "exit_on_error")}
# Types whose brackets came with 3.9. Before, only annotations that are not evaluated may have them.
GENERIC = {"list", "dict", "tuple", "set", "frozenset", "type", "deque", "Counter", "defaultdict", "Popen",
           "CompletedProcess"}
ABSTRACT = re.compile(r"^from collections\.abc import (.*)$", re.M)
GUARD = re.compile(r'hasattr\(\w+, "(\w+)"\)')


def last_name(node):
    return getattr(node, "attr", getattr(node, "id", ""))


def is_dict(node):
    """Whether that can be seen."""
    return (isinstance(node, (ast.Dict, ast.DictComp)) or last_name(node) == "environ"
            or isinstance(node, ast.Call) and last_name(node.func) in ("dict", "fromkeys"))


def names(node):
    """(module or "", name) that a node of the syntax tree means."""
    if isinstance(node, ast.ImportFrom):
        return [((node.module or "").split(".")[-1], each.name) for each in node.names]
    if isinstance(node, ast.Import):
        return [("", each.name) for each in node.names]
    return [(last_name(node.value), node.attr)] if isinstance(node, ast.Attribute) else []


def evaluated(tree, text):
    """The nodes of a tree; where annotations are not evaluated, none of theirs."""
    skipped = set()
    if "from __future__ import annotations" in text:
        for node in ast.walk(tree):
            for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
                skipped.update(ast.walk(annotation) if annotation else ())
    return [node for node in ast.walk(tree) if node not in skipped]


def newer(node, generic):
    """The feature of a node that Python 3.8 lacks, or None."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        if is_dict(node.left) or is_dict(node.right):
            return "| of dicts"
        if any(isinstance(side, ast.Constant) and side.value is None for side in (node.left, node.right)):
            return "| None, evaluated"
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.BitOr) and is_dict(node.value):
        return "|= of dicts"
    if isinstance(node, ast.Subscript) and last_name(node.value) in generic and isinstance(node.ctx, ast.Load):
        return f"{last_name(node.value)}[], evaluated"
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if (last_name(node.func), keyword.arg) in NEWER_ARGUMENTS:
                return f"{last_name(node.func)}({keyword.arg}=)"
    return next((name for module, name in names(node) if name in NEWER or (module, name) in NEWER_OF), None)


def in_parentheses(node, lines):
    """Whether a `with` has its items in parentheses, which from Python 3.12 on its parser takes whatever version is asked for."""
    ends = [item.optional_vars for item in node.items if item.optional_vars]
    return any(re.match(rb"\s*(,\s*)?\)", lines[end.end_lineno - 1][end.end_col_offset:]) for end in ends)


def findings(text):
    """(line, what is newer), ..."""
    try:
        tree = ast.parse(text, feature_version=OLDEST)
    except SyntaxError as error:
        return [(error.lineno, error.msg)]
    generic = GENERIC | {name for line in ABSTRACT.findall(text) for name in line.split(", ")}
    found = [(node.lineno, what) for node in evaluated(tree, text) if (what := newer(node, generic))]
    lines = text.encode().splitlines()
    found += [(node.lineno, "with (...)") for node in ast.walk(tree)
              if isinstance(node, (ast.With, ast.AsyncWith)) and in_parentheses(node, lines)]
    return [(line, what) for line, what in found if what not in GUARD.findall(text)]


class OldestPython(unittest.TestCase):
    def test_no_file_needs_a_newer_one(self):
        found = [f"{path.relative_to(ROOT)}:{line}: {what}" for folder in ("common", "docs", *ROOT.glob("[0-9][0-9]_*"))
                 for path in sorted((ROOT / folder).rglob("*.py"))
                 for line, what in findings(path.read_text())]
        self.assertEqual(found, [])
