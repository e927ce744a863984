"""No file needs more than Python 3.8: its syntax, and names of the library that came later. What only a run shows, the union
of two variables that hold dicts say, is not seen. Nor more than CMake 3.22, Ubuntu 22.04's: the minimum that each file names, the
presets' version, and commands, arguments, properties, variables and generator expressions that came later."""

import ast
import json
import re
import unittest

from common.base.command_line import ROOT
from common.tools.build import OLDEST_CMAKE

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


PRESETS = 3  # the version of presets that CMake 3.22 reads; 4 is of 3.23
NEWER_CMAKE = re.compile(r"""
    ^\s*block\s*\(                                                # 3.25
  | \breturn\s*\(\s*PROPAGATE\b                                   # 3.25
  | \b(?:cmake_file_api|cmake_pkg_config|cmake_instrumentation)\s*\(
  | \bcmake_language\s*\(\s*(?:GET_MESSAGE_LOG_LEVEL|EXIT|TRACE)\b
  | \bFILE_SET\b | \bCXX_MODULES\b | \bVALIDATOR\b | \bDEPENDS_EXPLICIT_ONLY\b | \bJOB_SERVER_AWARE\b
  | \bFIND_PACKAGE_ARGS\b | \bSOURCE_FROM_(?:CONTENT|VAR|FILE)\b | \bOVERRIDE_FIND_PACKAGE\b | \bCODEGEN\b
  | \badd_subdirectory\s*\([^)]*\bSYSTEM\b | \bfind_package\s*\([^)]*\bGLOBAL\b
  | \bLINK_LIBRARY_OVERRIDE\w* | \b(?:CMAKE_)?LINK_(?:LIBRARY|GROUP)_USING_\w+ | \bLINK_LIBRARIES_STRATEGY\b
  | \bIMPORTED_CXX_MODULES\w* | \bUNITY_BUILD_RELOCATABLE\b | \b(?:LANG|CXX)_LINKER_LAUNCHER\b | \bCMAKE_LINKER_TYPE\b
  | (?<!-D)\bCMAKE_COMPILE_WARNING_AS_ERROR\b                     # a command line may have it: an older CMake ignores it
  | \$<(?:LINK_LIBRARY|LINK_GROUP|PATH|LIST|STRING|QUOTE|COMPILE_ONLY|BUILD_LOCAL_INTERFACE|DEVICE_LINK_HOST
        |TARGET_PROPERTY_GENEX|FILTER_SOURCES|TARGET_IMPORT_FILE|TARGET_INTERMEDIATE_DIR)\b
  | \bCMAKE_CUDA_ARCHITECTURES\s+"?(?:native|all|all-major)\b    # 3.23 and 3.24
  | \bIS_(?:READABLE|WRITABLE|EXECUTABLE)\b | \bPATH_EQUAL\b
  | \bfile\s*\(\s*CONFIGURE\b                                    # 3.18.4 loses the ends of lines
  | -E\s+(?:bin2c|copy_directory_if_different)\b | --fresh\b | --workflow\b | --list-presets=\w+
""", re.X | re.M)
MINIMUM = re.compile(r"^cmake_minimum_required\(VERSION ([\d.]+)\)", re.M)
COMMENT = re.compile(r"#.*")


def cmake_files():
    found = [ROOT / "CMakeLists.txt"]
    for folder in (ROOT / "common", *ROOT.glob("[0-9][0-9]_*")):
        found += [path for path in folder.rglob("*") if path.name == "CMakeLists.txt" or path.suffix == ".cmake"]
    return found


def cmake_findings(text):
    """Lists what is newer in a CMake file."""
    return [found[0].strip() for found in NEWER_CMAKE.finditer(COMMENT.sub("", text))]


class OldestCMake(unittest.TestCase):
    def test_no_file_needs_a_newer_one(self):
        there = cmake_files()
        self.assertGreater(len(there), 15)
        self.assertEqual([f"{path.relative_to(ROOT)}: {what}" for path in there for what in cmake_findings(path.read_text())], [])

    def test_each_names_the_same_minimum_as_run(self):
        oldest = ".".join(map(str, OLDEST_CMAKE))
        named = {path: MINIMUM.findall(path.read_text()) for path in cmake_files()}
        self.assertEqual({version for versions in named.values() for version in versions}, {oldest})
        self.assertTrue(all(named[path] for path in ROOT.glob("[0-9][0-9]_*/CMakeLists.txt")))

    def test_presets(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        least = presets["cmakeMinimumRequired"]
        self.assertEqual((presets["version"], (least["major"], least["minor"])), (PRESETS, OLDEST_CMAKE))
        kinds = {"version", "cmakeMinimumRequired", "configurePresets", "buildPresets", "testPresets"}
        self.assertEqual(presets.keys() - kinds, set())
