"""Makes a page that shows what the threads of a kernel do, step by step, from the events that the executor records.

The executor writes the events of each thread (common/executor/checker/see.hpp). This file puts them side by side as a GPU would: the
lanes of a warp that reach the same instruction equally often since the last barrier make one request, and warps go on at the same
time until a barrier holds them up. The page draws one column per request.
"""

import collections
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from common.base.command_line import ROOT, BadInput
from common.base.whole_file import write_whole

PAGE = Path(__file__).with_name("see_page.html")
LANES = 32
ACCESSES = "rwa"
Event = collections.namedtuple("Event", "kind thread array offset size code unwritten value after number", defaults=("", 0))


def recorded(command, environment=os.environ):
    """Returns (exit status, what the program printed to stderr, the lines of events) of a checked program."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "see.jsonl"
        ran = subprocess.run(command, env={**environment, "NBODY_EXECUTOR_SEE": str(file)}, stderr=subprocess.PIPE, text=True)
        sys.stderr.write(ran.stderr)
        return ran.returncode, ran.stderr, [json.loads(line) for line in file.open()] if file.exists() else []


def key_of(event):
    return event.code, event.kind, event.array if event.kind in ACCESSES else -1


def requests_of_warp(lanes):
    """Returns the requests of a warp up to a barrier: lists of events, one per lane that takes part.

    lanes: the events of each lane. A request is due when each lane that will make it has nothing else to do first. If lanes
    that took different branches wait for each other, the one that is earliest in the program goes on alone."""
    queues = []
    for events in lanes:
        reached, queue = collections.Counter(), collections.deque()
        for event in events:
            queue.append((key_of(event), reached[key_of(event)], event))
            reached[key_of(event)] += 1
        queues.append(queue)
    left = collections.Counter((key, k) for queue in queues for key, k, _ in queue)
    requests = []
    while any(queues):
        heads = collections.defaultdict(list)
        for queue in queues:
            if queue:
                heads[queue[0][:2]].append(queue)
        due = [key for key, waiting in heads.items() if len(waiting) == left[key]] or list(heads)
        key = min(due, key=lambda key: min(queue[0][2].number for queue in heads[key]))
        requests.append([queue.popleft()[2] for queue in heads[key]])
        left[key] -= len(requests[-1])
    return requests


def columns_of(events, threads):
    """Returns (requests of all warps as pairs of column and events, columns of the block's barriers)."""
    epochs, epoch = collections.defaultdict(lambda: collections.defaultdict(list)), [0] * threads
    arrivals = collections.defaultdict(list)
    for event in events:
        if event.kind == "B":
            arrivals[epoch[event.thread]].append(event)
            epoch[event.thread] += 1
        else:
            epochs[epoch[event.thread]][event.thread].append(event)
    placed, barriers, column = [], [], 0
    for number in range(max(epoch, default=0) + 1):
        end = column
        for warp in range(0, threads, LANES):
            lanes = [epochs[number][thread] for thread in range(warp, min(warp + LANES, threads))]
            for k, request in enumerate(requests_of_warp(lanes)):
                placed.append((column + k, request))
                end = max(end, column + k + 1)
        if arrivals[number]:
            barriers.append({"c": end, "l": arrivals[number][0].code, "t": [event.thread for event in arrivals[number]]})
            end += 1
        column = end
    return placed, barriers, column


def words(text, bytes=4):
    """Returns the words of a hexadecimal text; None for those that were never written."""
    pieces = [text[at:at + 2 * bytes] for at in range(0, len(text) - 2 * bytes + 1, 2 * bytes)]
    return [None if "-" in piece else bytes_of(piece) for piece in pieces]


def bytes_of(text):
    return bytes.fromhex(text)


def kind_of_number(array, values, sources):
    """Returns (bytes, format) of the numbers in an array: from its declaration, and otherwise from what the bits look like."""
    declared = re.search(r"\b(float|double|int|unsigned|char|short|bool|long long|size_t|real)\d?\b[\w\s*,&<>\[\]]*?\b" +
                         re.escape(array["name"].split("::")[-1]) + r"\b", "\n".join(sources)) if re.fullmatch(r"[\w:]+", array["name"]) else None
    named = {"float": (4, "f"), "double": (8, "d"), "int": (4, "i"), "unsigned": (4, "I"), "char": (1, "b"), "bool": (1, "?"),
             "short": (2, "h"), "long long": (8, "q"), "size_t": (8, "Q")}.get(declared[1]) if declared else None
    if named and array["element"] % named[0] == 0:
        return named
    if array["element"] in (1, 2):
        return array["element"], "b" if array["element"] == 1 else "h"
    size = 8 if array["element"] == 8 else 4
    whole = [struct.unpack("<i", value[:4])[0] for value in values if value and len(value) >= 4]
    if size == 8:
        return (8, "d") if not whole or any(abs(v) > 1 << 20 for v in whole) else (8, "q")
    return (4, "i") if all(abs(v) < 1 << 20 for v in whole) and any(whole) else (4, "f")


def number(data, kind):
    if data is None or len(data) < kind[0]:
        return None
    value = struct.unpack("<" + kind[1], data[:kind[0]])[0]
    if isinstance(value, float):
        return "nan" if value != value else "inf" if value in (float("inf"), float("-inf")) else float(f"{value:.6g}")
    return int(value)


def numbers(data, kind):
    """Returns the number in the bytes, or a list of several."""
    found = [number(data[at:at + kind[0]], kind) for at in range(0, len(data), kind[0])]
    return found[0] if len(found) == 1 else found


def packed(values):
    """Returns a shorter form of a list that is regular: all the same, or whole numbers at equal distances."""
    if len(values) < 4:
        return values
    if all(value == values[0] for value in values):
        return {"all": values[0], "of": len(values)}
    if all(type(value) is int for value in values) and len({b - a for a, b in zip(values, values[1:])}) == 1:
        return {"from": values[0], "by": values[1] - values[0], "of": len(values)}
    return values


def shape_of(array, launch):
    """Returns the width in which an array is drawn; 0 for a single row."""
    count = array["bytes"] // array["element"]
    if array["inner"]:
        return array["inner"][-1]
    width, height = (launch["grid"][k] * launch["threads"][k] for k in (0, 1))
    return width if height > 1 and count == width * height and array["space"] == "global" else 0


def cost_of(request, array):
    """Returns what a request costs: sectors of 32 bytes in global memory, turns in shared memory, and the least for as many bytes.

    The third is the number of different words that each bank of shared memory must deliver."""
    start = 0 if array["space"] == "shared" else array["skew"]
    touched = {at // 4 for offset in request["o"] for at in range(start + offset, start + offset + request["s"], 4)}
    if array["space"] != "shared":
        return [len({word // 8 for word in touched}), -(-len(touched) // 8)]
    banks, floor = collections.Counter(word % LANES for word in touched), 2 if request["s"] == 16 else 1
    return [max(floor, *banks.values()), max(floor, -(-len(touched) // LANES)), [banks[bank] for bank in range(LANES)]]


def shown_of(array, touched, missed):
    """Returns the ranges of elements that are drawn: all of a small array or one that is mostly touched, otherwise the touched rows."""
    row = array["width"] or max(1, 32 // array["element"])
    if array["count"] <= (1024 if array["width"] else 32 if 3 * len(touched) < array["count"] else 128):
        return [[0, array["count"]]]
    rows = {index // row for index in touched} | ({min(max(missed, 0), array["count"] - 1) // row} if missed is not None else set())
    ranges = []
    for number in sorted(rows):
        if ranges and ranges[-1][1] == number * row:
            ranges[-1][1] += row
        else:
            ranges.append([number * row, (number + 1) * row])
    return [[begin, min(end, array["count"])] for begin, end in ranges]


def mistakes_of(block):
    """Returns the checker's findings in the block, each as a step and a text."""
    unwritten = [request["c"] for request in block["requests"] if "u" in request]
    races = [race["c"] for race in block["races"]]
    return ([[block["stop"]["c"], "out of bounds"]] if block["stop"] else []) + \
        ([[races[0], f"{len(races)} races" if len(races) > 1 else "race"]] if races else []) + \
        ([[unwritten[0], "reads uninitialised memory"]] if unwritten else []) + \
        [[barrier["c"], "not all reach the barrier"] for barrier in block["barriers"] if barrier["missing"] and not block["stop"]]


def block_of(record, launch, places, sources):
    threads = launch["threads"][0] * launch["threads"][1] * launch["threads"][2]
    events = [Event(*event[:7], *(event[7:9] if len(event) > 8 else (event[7], "")), number) for number, event in enumerate(record["events"])]
    placed, barriers, end = columns_of(events, threads)
    kinds, arrays = [], []
    for k, array in enumerate(record["arrays"]):
        array["element"] = array["element"] or 4
        seen = [bytes_of(event.value or event.after) for event in events if event.kind in ACCESSES and event.array == k]
        kinds.append(kind_of_number(array, [word for word in words(array["contents"]) if word] + seen, sources))
        arrays.append({**{name: array[name] for name in ("name", "space", "element", "skew", "allocated")},
                       "count": array["bytes"] // array["element"], "width": shape_of(array, launch), "each": kinds[k][0],
                       "start": [number(word, kinds[k]) for word in words(array["contents"], kinds[k][0])]})
        arrays[-1]["name"] = array["name"].split("::")[-1]
    column_of = {event.number: column for column, request in placed for event in request}
    requests = []
    for column, request in placed:
        first = request[0]
        one = {"c": column, "k": first.kind, "t": [event.thread for event in request]}
        if first.kind in ACCESSES:
            kind = kinds[first.array]
            one |= {"p": places[str(first.code)], "a": first.array, "s": first.size, "o": [event.offset for event in request]}
            one["x"] = cost_of(one, arrays[first.array])
            if first.kind != "w":
                one["v"] = [numbers(bytes_of(event.value), kind) for event in request]
            if first.kind != "r":
                one["n"] = [numbers(bytes_of(event.after), kind) for event in request]
            if any(event.unwritten for event in request):
                one["u"] = [event.unwritten for event in request]
        else:
            name, file, line = record["waits"][first.code]
            one |= {"p": [[file, line]], "name": name, "o": [event.offset for event in request]}
        requests.append({name: packed(value) if name in "tovn" else value for name, value in one.items()})
    for barrier in barriers:
        name, file, line = record["waits"][barrier["l"]]
        barrier |= {"p": [[file, line]], "name": name, "missing": sorted(set(range(threads)) - set(barrier["t"]))}
    races = []
    for before, array, offset, code, thread, writes, other_code, other, other_writes, place in record["races"]:
        def last(thread, code, before):
            return next((event.number for event in reversed(events[:before]) if event.thread == thread and event.code == code and
                         event.array == array and event.offset <= offset < event.offset + event.size), None)
        later = last(thread, code, before)
        earlier = None if place else last(other, other_code, before)
        races.append({"a": array, "o": offset, "t": thread, "w": writes, "c": column_of.get(later, end - 1), "p": places.get(str(code), []),
                      "t2": other, "w2": other_writes, "c2": column_of.get(earlier), "place": place, "p2": places.get(str(other_code), [])})
    stop = None
    if record["stop"]:
        before, thread, what, writes, size, file, line, where = record["stop"]
        own = [column_of[event.number] for event in events[:before] if event.thread == thread and event.number in column_of]
        match = re.fullmatch(r"(\w+)\[(-?\d+)\](?:\[(-?\d+)\])?", what)
        bare = re.fullmatch(r"index (-?\d+) of (\d+) elements", what)  # the compiler's own check knows no name
        missed = [k for k, array in enumerate(arrays) if (match and array["name"] == match[1]) or (bare and array["count"] == int(bare[2]))]
        index = int(bare[1]) if bare else int(match[2]) if match else None
        if missed and match and match[3]:
            index = index * arrays[missed[0]]["width"] + int(match[3])
        stop = {"t": thread, "what": f"{arrays[missed[0]]['name']}[{index}]" if bare and missed else what, "w": writes,
                "p": [[file, line] if line else [where.rpartition(":")[0], int(where.rpartition(":")[2] or 0)]],
                "c": max(own, default=-1) + 1, "a": missed[0] if missed else None, "i": index}
        end = max(end, stop["c"] + 1)
    for k, array in enumerate(arrays):
        touched = {event.offset // array["element"] for event in events if event.kind in ACCESSES and event.array == k}
        missed = stop["i"] if stop and stop["a"] == k else None
        array |= {"used": bool(touched) or missed is not None, "shown": shown_of(array, touched, missed),
                  "written": any(event.kind in "wa" and event.array == k for event in events)}
    block = {"block": record["block"], "cut": record["cut"], "arrays": arrays, "requests": requests, "barriers": barriers,
             "races": races, "stop": stop, "columns": end}
    return {**block, "found": mistakes_of(block)}


def document_of(lines, report, program):
    """Returns what the page shows."""
    places, launches, files = {}, [], {}
    for line in lines:
        for code, frames in line.get("code", {}).items():
            places[code] = [[file, number] for file, number, _ in frames]
    def path_of(name):
        return next((path for path in (Path(name), ROOT / name, program.parent / name) if path.is_file()), None)
    def read(name):
        if name not in files:
            path = path_of(name)
            files[name] = path.read_text(errors="replace").splitlines() if path else []
        return files[name]
    own = read(str(program)) if program.is_file() else []
    for line in lines:
        if "launch" in line:
            launches.append({"kernel": line["kernel"], "file": line["file"], "line": line["line"], "grid": line["grid"],
                             "threads": line["threads"], "blocks": []})
    for line in lines:
        if "of" in line and (line["events"] or line["stop"]):
            launch = launches[line["of"]]
            block = block_of(line, launch, places, own + read(launch["file"]))
            launch["blocks"].append(block)
            for request in [*block["requests"], *block["barriers"]]:
                for file, _ in request["p"]:
                    read(file)
    names = {name: Path(name).name for name in files}
    text = json.dumps({"title": program.name, "report": "\n".join(report.splitlines()), "launches": [one for one in launches if one["blocks"]],
                       "files": {name: text for name, text in files.items() if text}, "names": names}, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def record(page, command, environment=os.environ, source=None):
    """Runs a checked program and writes what its threads do to the file `page`. Returns the program's exit status.

    source: its .cu file. The page's address takes a place, for example page.html#0.1.5.3: launch 0 of those in the page, the
    second of its blocks in the page, step 5, thread 3 (all from 0; the thread may be missing). The page opens there.
    """
    page, source = Path(page), Path(source or command[0])
    status, report, lines = recorded(command, environment)
    if not any("of" in line for line in lines):
        print("no kernel has run, so there is nothing to see")
        return status
    try:
        write_whole(page, PAGE.read_text().replace("DATA", document_of(lines, report, source), 1))
    except OSError as error:
        raise BadInput(f"cannot write '{page}': {error.strerror}") from None
    print(f"See it: {page}")
    return status
