"""No CMake file needs more than CMake 3.22, Ubuntu 22.04's: the minimum that each names, the presets' version, and commands,
arguments, properties, variables and generator expressions that came later."""

import json
import re
import unittest

from common.base.command_line import ROOT
from common.tools.build import OLDEST_CMAKE

PRESETS = 3  # the version of presets that CMake 3.22 reads; 4 is of 3.23
NEWER = re.compile(r"""
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


def files():
    """All CMake files, without the ones of the hostile submissions, which no build reads."""
    found = [ROOT / "CMakeLists.txt"]
    for folder in (ROOT / "common", *ROOT.glob("[0-9][0-9]_*")):
        found += [path for path in folder.rglob("*") if path.name == "CMakeLists.txt" or path.suffix == ".cmake"]
    return [path for path in found if "hostile" not in path.parts]


def findings(text):
    """The newer features in a CMake file."""
    return [found[0].strip() for found in NEWER.finditer(COMMENT.sub("", text))]


class OldestCMake(unittest.TestCase):
    def test_no_file_needs_a_newer_one(self):
        there = files()
        self.assertGreater(len(there), 15)
        self.assertEqual([f"{path.relative_to(ROOT)}: {what}" for path in there for what in findings(path.read_text())], [])

    def test_each_names_the_same_minimum_as_run(self):
        oldest = ".".join(map(str, OLDEST_CMAKE))
        named = {path: MINIMUM.findall(path.read_text()) for path in files()}
        self.assertEqual({version for versions in named.values() for version in versions}, {oldest})
        self.assertTrue(all(named[path] for path in ROOT.glob("[0-9][0-9]_*/CMakeLists.txt")))

    def test_presets(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        least = presets["cmakeMinimumRequired"]
        self.assertEqual((presets["version"], (least["major"], least["minor"])), (PRESETS, OLDEST_CMAKE))
        kinds = {"version", "cmakeMinimumRequired", "configurePresets", "buildPresets", "testPresets"}
        self.assertEqual(presets.keys() - kinds, set())
