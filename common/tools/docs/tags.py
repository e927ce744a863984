"""What doxygen's tag file names: each thing of the reference once."""

import xml.etree.ElementTree
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    name: str
    kind: str  # class, file, function, define ...
    within: str  # of a member the name of what has it, of a class that of its namespace
    folder: str  # of a file and its members


def entries(tags):
    """{address: its entry}; a member's address has an anchor."""
    found = {}
    for compound in xml.etree.ElementTree.parse(tags).getroot():
        kind, name, folder = compound.get("kind"), compound.findtext("name"), compound.findtext("path") or ""
        found[compound.findtext("filename")] = Entry(name, kind, name.rpartition("::")[0], folder)
        for member in compound.iter("member"):
            place = f"{member.findtext('anchorfile')}#{member.findtext('anchor')}"
            # A member of a namespace is a member of its file, too.
            if member.findtext("anchor") and (place not in found or kind != "file"):
                found[place] = Entry(member.findtext("name"), member.get("kind"), name, folder)
    return found
