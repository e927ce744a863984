"""The public programs on which the executor is tested: common/executor/tests/public_programs/programs.json with defaults filled in.

A group is a folder of a repository. Its `include`, `define`, `options`, `unchecked` and `eager` hold for each of its programs:

    sources     relative to the repository or to the program's own folder; without them all .cu and .cpp files of that folder,
                which has the program's name
    own         a source of ours in common/executor/tests/public_programs/, if the program's main() cannot be used
    include     folders of the repository;  define: macros;  options: further options of the compiler
    arguments   of the command line;  runs: several runs, a program each, with these arguments first
    says        what the program prints if it passes, in addition to exit status 0 (a pattern)
    until       the same for a program that would then measure times for hours: it is ended there
    unchecked   the program checks nothing itself, so it passes if it ends
    wanted      reports that the program causes on purpose (a pattern)
    answer      "race" or "none", in a set of programs with known answers: whether anything has to be reported
    eager       a kernel runs at its launch, because the program ends without waiting for it
    data        whether the program reads files of its folder, so that it runs in a copy
"""

import dataclasses
import json
from pathlib import Path

from common.base.command_line import ROOT, BadInput, nearest

FOLDER = ROOT / "common" / "executor" / "tests" / "public_programs"
LIST = FOLDER / "programs.json"
KEYS = {"sources", "own", "include", "define", "options", "arguments", "runs", "says", "until", "unchecked", "wanted",
        "answer", "data", "note"}
SOURCES = (".cu", ".cpp")


@dataclasses.dataclass
class Program:
    """One row of the table: what is compiled and how it is run."""

    name: str  # with the arguments of its run, if there are several: "sgemm 3"
    build: str  # name of what is compiled, which several rows may share
    repository: str
    folder: str  # the group's, below the repository
    entry: dict  # the list's entry, merged with that of its group

    def own_folder(self, repositories):
        folder = repositories / self.repository / self.folder
        return folder / self.build if (folder / self.build).is_dir() else folder

    def sources(self, repositories):
        """Returns the paths of all files that are compiled. Raises BadInput if one is missing."""
        own, whole = self.own_folder(repositories), repositories / self.repository
        if "sources" in self.entry:
            found = [next((base / name for base in (own, whole) if (base / name).is_file()), whole / name)
                     for name in self.entry["sources"]]
        elif "own" in self.entry:
            found = []
        else:
            found = sorted(path for path in own.glob("*") if path.suffix in SOURCES)
        found += [FOLDER / self.entry["own"]] if "own" in self.entry else []
        missing = [path for path in found if not path.is_file()] or ([] if found else [own])
        if missing:
            raise BadInput(f"{missing[0]} is not there; see --repositories")
        return found

    def flags(self, repositories):
        """Returns the compiler's flags."""
        include = [f"-I{repositories / self.repository / folder}" for folder in self.entry.get("include", ())]
        define = [f"-D{macro}" for macro in self.entry.get("define", ())]
        return [*include, f"-I{FOLDER / 'headers'}", *define, *self.entry.get("options", "").split()]

    def arguments(self):
        return self.entry.get("arguments", "").split()

    def verdict(self):
        """Returns the pattern that its output has if it passes; None if only its exit status counts."""
        return self.entry.get("until") or self.entry.get("says")


def joined(group, entry):
    """Returns an entry, merged with that of its group."""
    both = {key: [*group.get(key, ()), *entry.get(key, ())] for key in ("include", "define")}
    both["options"] = f"{group.get('options', '')} {entry.get('options', '')}".strip()
    of_all = {key: group[key] for key in ("unchecked", "eager") if key in group}
    return {**of_all, **entry, **{key: value for key, value in both.items() if value}}


def read(path=LIST):
    """Returns (programs, excluded, repositories). excluded: (repository, folder, name, reason)"""
    document = json.loads(Path(path).read_text())
    programs, excluded = [], []
    for group in document["groups"]:
        place = group["repository"], group["folder"]
        for name, entry in group["programs"].items():
            if unknown := set(entry) - KEYS:
                raise BadInput(f"{path}: {name} has an unknown field '{min(unknown)}'{nearest(min(unknown), KEYS)}")
            for arguments in entry.get("runs", [None]):
                shown = f"{name} {arguments or ''}".strip()
                all_arguments = f"{arguments or ''} {entry.get('arguments', '')}".strip()
                programs.append(Program(shown, name, *place, joined(group, {**entry, "arguments": all_arguments})))
        excluded += [(*place, name, reason) for name, reason in group.get("excluded", {}).items()]
    return programs, excluded, document["repositories"]


def chosen(programs, names):
    """Returns the programs of these names, which may be a program's, a build's or a group's folder; all if there are no names.
    """
    found = [p for p in programs if not names or {p.name, p.build, p.folder, p.repository} & set(names)]
    for name in names:
        if not any(name in (p.name, p.build, p.folder, p.repository) for p in programs):
            known = {word for p in programs for word in (p.name, p.build, p.folder, p.repository)}
            raise BadInput(f"no program '{name}'{nearest(name, known)}")
    return found
