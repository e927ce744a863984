"""The records of a course that a later run may renew in part."""

import json


def keep(file, part, key, entries, order):
    """Puts the entries in place of those that the file keeps of the same. order: the keys of all that may stay"""
    kept = {entry[key]: entry for entry in [*json.loads(file.read_text())[part], *entries]}
    file.write_text(json.dumps({part: [kept[name] for name in order if name in kept]}, indent=1) + "\n")
