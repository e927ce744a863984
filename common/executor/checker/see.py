"""Makes a page that shows what the threads of a kernel do, step by step, from the events that the executor records (see.hpp).

This file puts the threads' events side by side as a GPU would. The recorder says which events of a warp's lanes are one
request, and what it costs. Warps continue at the same time until a barrier holds them up. The page draws one column per request.
All verdicts are the checker's: the program first runs without the recorder, and only what is reported then is red.

As a script, this file makes a page of a recording that a sandbox has written, which may say anything.
"""

import collections
import html
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from common.base.command_line import ROOT, BadInput, script
from common.base.whole_file import write_whole
from common.executor.checker.advice import OWN_COUNTERS, reason

PAGE = Path(__file__).with_name("see_page.html")
LANES = 32
MOST_REPORT = 100_000  # characters, because the environment of a program is limited
COUNTS = "NBODY_EXECUTOR_COUNTS"  # those of the first run
ACCESSES = "rwa"
WAITS_OF_ALL = "BG"  # for the block, for the grid
REPORT = re.compile(r"^executor: (?!\d+ reports?; |\d+ more reports? |note: |made to fail: ).*(?:\n[ \t]+.*)*", re.MULTILINE)
NAMED = re.compile(r"thread \(\d+,\d+,\d+\) of block \(\d+,\d+,\d+\)| of block \(\d+,\d+,\d+\)|launched at \S+:\d+")
THREAD = re.compile(r"thread \((\d+),(\d+),(\d+)\) of block \((\d+,\d+,\d+)\)")
ELEMENT = re.compile(r": ([\w:]+(\[-?\d+\])+|(byte|element) -?\d+ of an array of \d+ bytes)")
DIVERGENT = re.compile("executor: divergent (grid )?barrier")
OUTSIDE = re.compile("executor: (out of bounds|misaligned)")
NAMES = {"b": "char, signed char, int8_t", "B": "unsigned char, uchar, uint8_t", "?": "bool", "h": "short, int16_t",
         "H": "unsigned short, ushort, uint16_t", "i": "int, int32_t", "I": "unsigned, unsigned int, uint, uint32_t",
         "q": "long, long long, longlong, int64_t", "Q": "unsigned long, ulong, unsigned long long, ulonglong, uint64_t, size_t",
         "e": "__half, half", "f": "float, real", "d": "double"}
NUMBERS = {name: number for number, names in NAMES.items() for name in names.split(", ")}
OF_SIZE = {"f": {4: "f", 8: "d"}, "i": {1: "b", 2: "h", 4: "i", 8: "q"}, "u": {1: "B", 2: "H", 4: "I", 8: "Q"}, "b": {1: "?"}}
MEMBER = re.compile(r"\s*((?:(?:const|unsigned|signed|long(?=\s+long|\s+int))\s+)*[\w:]+(?:\s*\*+|\s))\s*([\w\s,\[\]={}.-]+)$")
Event = collections.namedtuple("Event", "kind number thread array offset bytes code request flags value after")
Member = collections.namedtuple("Member", "name offset format")


def record(page, command, environment=os.environ, source=None, launch=None, block=None, is_quiet=False):
    """Runs a checked program and writes what its threads do to the file `page`. Returns the program's exit status.

    source: its .cu file. launch, block: show only this launch of the program, this block of each launch (from 0).
    is_quiet: hides the program's own output and reports.
    The page's address takes a place, for example page.html#0.1.5.3: launch 0 of those in the page, the second of its blocks in
    the page, step 5, thread 3 (all from 0; the thread may be missing). Without one the page opens at the first mistake.
    """
    page, source = Path(page), Path(source or command[0])
    ran = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL if is_quiet else None, stderr=subprocess.PIPE,
                         text=True, errors="replace")
    if not is_quiet:
        sys.stderr.write(ran.stderr)
    chosen = {"NBODY_EXECUTOR_SEE_LAUNCH": launch, "NBODY_EXECUTOR_SEE_BLOCK": block}
    others = {name: str(value) for name, value in {**environment, **chosen}.items() if value is not None and name != COUNTS}
    lines = events_of(command, ran.stderr, others)
    shown = document(lines or [], ran.stderr, source)
    if not shown["launches"]:
        print("There is nothing to see, because " + (
            "the program did not end by itself" if lines is None else
            "no kernel has read or written an array" if launch is block is None else "the program has no such launch or block"))
        return ran.returncode
    try:
        write_whole(page, page_text(shown))
    except OSError as error:
        raise BadInput(f"cannot write '{page}': {error.strerror}") from None
    print(f"See it: {page.resolve().as_uri()}", flush=True)
    return ran.returncode


def settings(file, report):
    """Returns the environment variables with which a program writes its events to the file. report: what it printed before"""
    named = dict.fromkeys(NAMED.findall(report[:MOST_REPORT]))
    return {"NBODY_EXECUTOR_SEE": str(file), "NBODY_EXECUTOR_SEE_REPORTS": " ".join(named), "NBODY_EXECUTOR_THREADS": "1"}


def command(recording, report, page, source, files):
    """Returns the command that makes a page of a recording. report: the file with what the program printed"""
    return [*script("executor.checker.see"), *map(str, [recording, report, page, source, *files])]


def add_arguments(parser):
    for name in ("recording", "report", "page", "source"):
        parser.add_argument(name, type=Path)
    parser.add_argument("files", nargs="*", type=Path, help="the only files whose text the page may show")


def run(options):
    shown = document(events_in_file(options.recording), options.report.read_text(), options.source, options.files)
    if shown["launches"]:
        write_whole(options.page, page_text(shown))


def events_in_file(file):
    return [json.loads(line) for line in file.read_text(errors="replace").split("\n") if line]


def events_of(command, report, environment):
    """Returns the lines that the recorder writes in a run of the program; None if the run does not end by itself."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "see.jsonl"
        try:
            subprocess.run(command, env={**environment, **settings(file, report)}, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
        except subprocess.TimeoutExpired:
            return None
        try:
            return events_in_file(file)
        except (OSError, ValueError):
            return None


def page_text(shown):
    """Returns the page, with its style and its script in it, because one file is easy to keep and to send."""
    parts = {"REPORT": html.escape(re.sub("^executor: ", "", shown["report"], flags=re.MULTILINE)),
             **{f"FILE {name}": PAGE.with_name(name).read_text() for name in ("see_page.css", "see_page.js")}}
    parts["DATA"] = json.dumps(shown, separators=(",", ":")).replace("<", "\\u003c")
    return re.sub("|".join(parts), lambda found: parts[found[0]], PAGE.read_text())


# --- Columns

def requests_of_warp(lanes):
    """Returns the requests of a warp up to a barrier, in their order: lists of events, one per lane that takes part.

    lanes: the events of each lane. A request is due when each lane that will make it has nothing else to do first. If lanes
    that took different branches wait for each other, those continue that came last, and then the earliest in the run."""
    queues = [collections.deque(events) for events in lanes]
    left = collections.Counter(event.request for queue in queues for event in queue)
    requests, lanes = [], []
    while any(queues):
        heads = collections.defaultdict(list)
        for queue in queues:
            if queue:
                heads[queue[0].request].append(queue)
        due = [request for request, waiting in heads.items() if len(waiting) == left[request]] or list(heads)
        request = min(due, key=lambda one: (heads[one] != lanes, min(queue[0].number for queue in heads[one])))
        lanes = heads[request]
        requests.append([queue.popleft() for queue in lanes])
        left[request] -= len(requests[-1])
    return requests


def columns_of(events, threads):
    """Returns (requests as pairs of column and events, waits of all as pairs of column and events, number of columns).

    A warp that has waited for a condition continues after everything that has happened by then."""
    epochs, waits = collections.defaultdict(lambda: collections.defaultdict(list)), collections.defaultdict(list)
    epoch = [0] * threads
    for event in events:
        if event.kind in WAITS_OF_ALL:
            waits[epoch[event.thread]].append(event)
            epoch[event.thread] += 1
        else:
            epochs[epoch[event.thread]][event.thread].append(event)
    placed, barriers, column = [], [], 0
    for number in range(max(epoch, default=0) + 1):
        ordered, clock = [], collections.defaultdict(lambda: column)
        for warp in range(0, threads, LANES):
            when = 0
            for request in requests_of_warp([epochs[number][thread] for thread in range(warp, min(warp + LANES, threads))]):
                when = max(when, min(event.number for event in request))
                ordered.append((when, warp, request))
        end, has_waited = column, set()
        for _, warp, request in sorted(ordered, key=lambda one: one[:2]):
            at = end if warp in has_waited else clock[warp]
            has_waited.discard(warp)
            if request[0].kind == "C":
                has_waited.add(warp)
            placed.append((at, request))
            clock[warp] = at + 1
            end = max(end, at + 1)
        column = end
        if waits[number]:
            barriers.append((column, waits[number]))
            column += 1
    return placed, barriers, column


# --- Types and values

def type_of(name, size, sources, depth=0):
    """Returns (numbers in a value of a type, bytes, alignment), from its name and the source; None if they are unknown.

    size: its bytes, if known"""
    name = re.sub(r"^(const|volatile|struct|typename)\s+|\s+(const|volatile)$", "", name.strip()).split("::")[-1]
    if name.endswith("*"):
        return [Member("", 0, "Q")], 8, 8
    base, count = (name, 1) if name in NUMBERS else (name[:-1], int(name[-1])) if re.search("[1-4]$", name) else (None, 1)
    if base in NUMBERS:
        number = "d" if base == "real" and size == 8 * count else NUMBERS[base]
        each = struct.calcsize("<" + number)
        members = [Member("xyzw"[k] if base != name else "", k * each, number) for k in range(count)]
        return (members, each * count, min(16, each * count) if count in (2, 4) else each) if size in (None, each * count) else None
    declared = re.search(rf"\bstruct\s+(?:\w+\s*\([^)]*\)\s*)?{re.escape(name)}\s*{{", sources) if depth < 3 and name else None
    if declared is None:
        return None
    body, at, open_braces = "", declared.end(), 1
    while at < len(sources) and open_braces:  # without the bodies of functions
        open_braces += {"{": 1, "}": -1}.get(sources[at], 0)
        body += ";" if sources[at] == "}" else sources[at] if open_braces == 1 and sources[at] != "{" else ""
        at += 1
    found, offset, most = [], 0, 1
    for part in re.sub(r"//[^\n]*|/\*.*?\*/|\b(public|private)\s*:", "", body, flags=re.DOTALL).split(";"):
        part = MEMBER.match(part)
        if part is None or part[1].strip() in ("using", "static", "return"):
            continue
        own = type_of(part[1], None, sources, depth + 1)
        if own is None:
            return None
        members, each, aligned = own
        most = max(most, aligned)
        for label, extent in re.findall(r"(?:^|,)\s*(\w+)\s*(?:\[\s*(\d+)\s*\])?", part[2]):
            for k in range(int(extent or 1)):
                offset = -(-offset // aligned) * aligned
                found += [Member(f"{label}{f'[{k}]' if extent else ''}{'.' if m.name else ''}{m.name}", offset + m.offset, m.format)
                          for m in members]
                offset += each
    whole = [-(-offset // step) * step for step in (most, 8, 16)]  # with alignas() perhaps more than the members need
    return (found, size or whole[0], most) if found and size in (None, *whole) else None


def layout_of(array, values, sources):
    """Returns the numbers in an element of an array: from the kernel's parameter, a declaration, or what the bits look like."""
    size, declared = array["element"], None
    if array["type"]:
        kind, name = array["type"]
        if size in OF_SIZE.get(kind, {}):
            return [Member("", 0, OF_SIZE[kind][size])]
        if known := type_of(name, size, sources):
            return known[0]
    for name in {array["name"].split("::")[-1], array["host"].split("::")[-1]}:
        form = rf"((?:unsigned\s+)?[\w:]+)\s*(?:\*\s*|\s)(?:\w+\s*,\s*\*?)*\b{name}\b\s*[\[;,=)]"
        declared = declared or (re.search(form, sources) if re.fullmatch(r"\w+", name) else None)
    known = type_of(declared[1], size, sources) if declared else None
    if known and known[0][-1].offset < size:
        return known[0]
    step = size if size in (1, 2) else 8 if size == 8 else 4
    whole = [struct.unpack("<i", value[:4])[0] for value in values if len(value) >= 4]
    is_whole = all(abs(v) < 1 << 20 for v in whole) and any(whole)
    number = {1: "b", 2: "h", 4: "i" if is_whole else "f", 8: "q" if is_whole else "d"}[step]
    return [Member("xyzw"[k] if size in (12, 16) else f"{k}" if size > step else "", k * step, number)
            for k in range(max(1, size // step))]


def width_of(array, launch, placed):
    """Returns the length of the rows in which an array is drawn; 0: it has no rows. placed: its requests, with their columns"""
    if array["row"]:
        return array["row"]
    (across, down, deep), count = launch["threads"], array["bytes"] // array["element"]
    together = collections.defaultdict(dict)  # offsets by thread, of all warps at one instruction
    for column, request in placed if across > 1 and down > 1 and deep == 1 else ():
        together[column, request[0].code] |= {event.thread: event.offset for event in request}
    for at in together.values():
        first = min(at)
        if first + 1 in at and first + across in at and (first + 1) % across:
            steps = sorted(abs(at[first + k] - at[first]) // array["element"] for k in (1, across))
            if steps[0] == 1 and steps[1] > 1 and count % steps[1] == 0:
                return steps[1]
    width, height = (launch["grid"][k] * launch["threads"][k] for k in (0, 1))
    return width if height > 1 and count == width * height and array["space"] == "global" else 0


def shown_of(array, touched, missed):
    """Returns the ranges of elements that are drawn: all of a small array or of one that is mostly touched, otherwise the rows
    that are touched."""
    row = array["width"] or max(1, 32 // array["element"])
    if array["count"] <= (1024 if array["width"] else 32 if 3 * len(touched) < array["count"] else 128):
        return [[0, array["count"]]]
    rows = {index // row for index in touched}
    if missed is not None:
        rows.add(min(max(missed, 0), array["count"] - 1) // row)
    ranges = []
    for number in sorted(rows):
        if ranges and ranges[-1][1] == number * row:
            ranges[-1][1] += row
        else:
            ranges.append([number * row, (number + 1) * row])
    return [[begin, min(end, array["count"])] for begin, end in ranges]


# --- What the page shows

def events_in(record, places):
    """Returns the events of a block. The load of an update is a part of the update."""
    following, events = {}, []
    for event in reversed([Event(*event) for event in record["events"]]):
        after = following.get(event.thread)
        is_part = event.kind == "l" and after is not None and after.kind == "a" and after[3:5] == event[3:5] \
            and places.get(str(after.code)) == places.get(str(event.code))
        if not is_part:
            following[event.thread] = event
            events.append(event._replace(kind="r") if event.kind == "l" else event)
    return events[::-1]


def describe(arrays, record, events, launch, placed, sources):
    """Adds types and shapes to the arrays of a block."""
    for k, array in enumerate(arrays):
        named = rf"\b(barrier|pipeline_shared_state)\b[^;{{}}()]*\b{re.escape(array['name'])}\s*[;\[]"
        array["barrier"] = bool(re.search(named, sources))
        array["element"] = array["element"] or 4
        seen = [bytes.fromhex(event.value or event.after) for event in events if event.array == k]
        seen += [bytes.fromhex(text[at:at + 8]) for _, number, text in record["contents"] if number == k
                 for at in range(0, min(len(text), 512), 8) if "-" not in text[at:at + 8]]
        array |= {"members": layout_of(array, seen, sources), "count": array["bytes"] // array["element"],
                  "width": width_of(array, launch, [one for one in placed if one[1][0].array == k])}


def name_apart(arrays):
    """Gives names to arrays that the source does not name, and numbers to those of one name: array 1, array 2."""
    for array in arrays:
        array["name"] = "array" if " " in array["name"] else array["name"]
    names = [array["name"] for array in arrays]
    for k, array in enumerate(arrays):
        if names.count(names[k]) > 1:
            array["name"] += f" {names[:k + 1].count(names[k])}"


def changes_in(record, events, arrays, column_of):
    """Returns the changes of arrays for which the page has no request: column, array, offset and bytes. Adds to each array what
    it holds at first."""
    changes, latest, contents = [], 0, collections.deque(record["contents"])
    for event in [*events, None]:
        while contents and (event is None or contents[0][0] <= event.number):
            _, k, text = contents.popleft()
            if "start" in arrays[k]:
                changes.append([latest, k, arrays[k]["from"], text])
            else:
                arrays[k]["start"] = text
        if event is not None and event.kind == "x":
            changes.append([latest, event.array, event.offset, event.after])
        elif event is not None:
            latest = max(latest, column_of.get(event.number, 0))
    return changes


def requests_in(placed, record, places, files, reports):
    unwritten, requests = [report for report in reports if "uninitialised" in report.partition("\n")[0]], []
    for column, request in sorted(placed, key=lambda one: (one[0], one[1][0].number)):
        first = request[0]
        one = {"c": column, "k": first.kind, "t": [event.thread for event in request], "o": [event.offset for event in request]}
        if first.kind in ACCESSES:
            own = places.get(str(first.code), [])
            one |= {"p": own, "a": first.array, "s": first.bytes, "x": record["costs"][first.request]}
            if any("_matrix_sync" in text for file, line in own[:1] for text in files.get(file, [])[line - 1:line]):
                one["m"] = 1  # a GPU may distribute the elements in another way
            if first.kind != "w":
                one["v"] = [event.value for event in request]
            if first.kind != "r":
                one["n"] = [event.after for event in request]
            if any(event.flags & 1 for event in request):  # never written: 2 if the checker reports it
                is_reported = any(line_in(frame, report) for report in unwritten for frame in one["p"])
                one["u"] = [(event.flags & 1) * (2 if is_reported else 1) for event in request]
            if first.flags & 2:
                one["d"] = 1
        else:
            name, *place = record["waits"][first.code]
            one |= {"p": [place], "name": name}
        requests.append(one)
    return requests


def waits_in(barriers, record, threads, reports):
    """Returns the waits of all threads. Those who wait at different lines, or for threads that never come, wait in vain."""
    is_divergent = any(DIVERGENT.match(report) and block_in(record["block"], report) for report in reports)
    waits = []
    for column, arrived in barriers:
        groups = collections.defaultdict(list)
        for event in arrived:
            groups[event.code].append(event.thread)
        here = {event.thread for event in arrived}
        missing = [t for t in range(threads) if t not in here and not record["left_out"] >> t // LANES & 1]
        waits.append({"c": column, "t": sorted(here), "p": [record["waits"][code][1:] for code in groups],
                      "at": [[sorted(group), *record["waits"][code]] for code, group in groups.items()],
                      "missing": missing if is_divergent else [],
                      "bad": is_divergent and column == barriers[-1][0] and bool(missing or len(groups) > 1)})
    return waits


def races_in(record, launch, events, places, reports, column_of, end):
    """Returns the races between lines that the checker reports. The pairs of accesses that the reports name come first."""
    races = []
    for number, array, offset, code, thread, writes, other_code, other, other_writes, place in record["races"]:
        def column(thread, code):
            return next((column_of.get(event.number) for event in reversed(events) if event.number < number and
                         (event.thread, event.code, event.array) == (thread, code, array) and
                         event.offset <= offset + 3 and offset < event.offset + event.bytes), None)
        own, others = places.get(str(code), []), places.get(str(other_code), [])
        found = next((one for one in reports if own and others and line_in(own[0], one) and line_in(others[0], one)), "")
        if found or place and not (own and others):
            at = column(thread, code)
            is_pair = set(threads_in(found, record["block"], launch)) == ({thread} if place else {thread, other})
            race = {"a": array, "o": offset, "t": thread, "w": writes, "c": end - 1 if at is None else at, "t2": other,
                    "w2": other_writes, "c2": None if place else column(other, other_code), "place": place, "p": own, "p2": others,
                    "hint": advice_in(found)}
            races.append((not is_pair, not names(found, record["arrays"][array], offset), race))
    return [race for *_, race in sorted(races, key=lambda one: one[:2])]


def element_name(array, offset):
    """Returns "tile[2][5]" for the element at an offset."""
    index, row = offset // array["element"], array["width"] if array["space"] == "shared" else 0
    return array["name"] + (f"[{index // row}][{index % row}]" if row else f"[{index}]")


def names(report, array, offset):
    """Returns whether a report is about this element."""
    return f": {element_name(array | {'name': array['host']}, offset)}\n" in report


def threads_in(report, block, launch):
    """Returns the threads of this block that a report names."""
    across, down, _ = launch["threads"]
    own = ",".join(map(str, block))
    return [int(x) + across * (int(y) + down * int(z)) for x, y, z, of in THREAD.findall(report) if of == own]


def advice_in(report):
    """Returns what a report advises: its line before the last one."""
    lines = report.splitlines()
    return lines[-2].strip() if len(lines) > 2 else ""


def slow_lines(block, launch):
    """Returns the lines that need much more of the memory than the same bytes would, the worst two first: the step of the worst
    request, the line, the array, a sentence, and the known remedy."""
    lines = {}
    for one in block["requests"]:
        if "x" in one and one["p"] and "m" not in one and not block["arrays"][one["a"]]["barrier"] \
                and block["arrays"][one["a"]]["space"] != "constant":
            needed, least = one["x"][:2]
            line = lines.setdefault((*one["p"][0], one["a"]), {"needed": 0, "least": 0, "most": -1, "worst": one, "kinds": set()})
            line["kinds"].add(one["k"])
            line["needed"] += needed
            line["least"] += least
            if needed - least > line["most"]:
                line |= {"most": needed - least, "worst": one}
    found = []
    for (_, number, k), line in sorted(lines.items(), key=lambda one: one[1]["least"] - one[1]["needed"]):
        array, needed, least, worst = block["arrays"][k], line["needed"], line["least"], line["worst"]
        is_shared = array["space"] == "shared"
        if needed >= 1.5 * least and needed > least + (1 if is_shared else 3):
            times = f"{round(needed / least, 1):g} times"
            what = {"r": "the read in ", "w": "the write in "}.get("".join(line["kinds"]), "")
            text = f"in all, {what}line {number} " + (
                f"takes {times} as many turns as it must, because threads update one element" if takes_turns(worst) else
                f"takes {times} as many turns of shared memory as it must (bank conflicts)" if is_shared else
                f"moves {times} the memory that it uses (not coalesced)")
            found.append({"c": worst["c"], "line": number, "a": k, "text": text, "remedy": remedy_for(array, worst, launch)})
    return found[:2]


def takes_turns(request):
    return request["k"] == "a" and len(set(request["o"])) < len(request["o"])


def remedy_for(array, request, launch):
    """Returns what helps against sectors or wavefronts that a line need not have; empty if nothing surely does."""
    if takes_turns(request):
        return f"Several threads update one word and take turns: {OWN_COUNTERS}."
    gaps = [after - before for before, after in zip(request["o"], request["o"][1:])]
    if not any(gaps[:1]):
        return ""
    stride, element, name, width = abs(gaps[0]), array["element"], array["name"], array["width"]
    if array["space"] != "shared":
        return f"{reason(stride, request['s'], len(array['members']) > 1)}.".capitalize().replace("lanes", "threads")
    length, is_regular = stride // element, len(set(gaps)) == 1
    # Words of 4, 8 or 16 bytes lie in different banks if they are an odd number apart.
    if stride % element or length % 2 or element < 4:
        return ""
    if length == width and is_regular:
        return f"Give {name} rows of {width + 1} elements instead of {width}: then the threads of a warp use different banks."
    if length == width and launch["threads"][0] < LANES:
        return (f"In blocks with 32 threads in a row instead of {launch['threads'][0]}, a warp uses one column of {name}. Then one "
                "more element per row removes the conflicts.")
    return (f"Neighbouring threads use elements that are {length} apart. Let them be neighbours, or an odd number apart: then they "
            "lie in different banks." if is_regular else "")


def block_of(record, launch, places, files, reports, known):
    """Returns what the page shows of a block."""
    across, down, deep = launch["threads"]
    threads, arrays, events = across * down * deep, record["arrays"], events_in(record, places)
    placed, barriers, end = columns_of([event for event in events if event.kind != "x"], threads)
    column_of = {event.number: column for column, request in placed for event in request}
    describe(arrays, record, events, launch, placed, "\n".join(text for file in files.values() for text in file))
    name_apart(arrays)
    stop = stop_of(record["stop"], events, arrays, column_of, known) if record["stop"] else None
    block = {"block": record["block"], "cut": record["cut"], "arrays": arrays, "stop": stop,
             "changes": changes_in(record, events, arrays, column_of),
             "left": [t for t in range(threads) if record["left_out"] >> t // LANES & 1],
             "requests": requests_in(placed, record, places, files, reports),
             "barriers": waits_in(barriers, record, threads, reports),
             "races": races_in(record, launch, events, places, reports, column_of, end),
             "columns": max(end, stop["c"] + 1 if stop else 0)}
    block["slow"] = slow_lines(block, launch)
    if stop:
        stop["hint"] = next((advice_in(one) for one in reports if OUTSIDE.match(one) and block_in(record["block"], one)), "")
    for k, array in enumerate(arrays):
        mine = [event for event in events if event.array == k]
        touched = {at // array["element"] for event in mine for at in range(event.offset, event.offset + event.bytes)}
        missed = stop["i"] if stop and stop["a"] == k else None
        array |= {"used": not array["barrier"] and (bool(touched) or missed is not None), "shown": shown_of(array, touched, missed),
                  "above": array["space"] != "shared" and any(event.kind == "r" for event in mine[:1]),
                  "members": [[*member, struct.calcsize("<" + member.format)] for member in array["members"]]}
        array.pop("type")
    return block


def stop_of(record, events, arrays, column_of, known):
    """Returns where a thread ends, because it uses memory outside an array. known: returns the one name of a file"""
    number, thread, what, writes, file, line, where, array = record
    own = [column_of[event.number] for event in events
           if event.thread == thread and event.number < number and event.number in column_of]
    named = re.fullmatch(r"[\w:]+(?:\[(-?\d+)\])?\[(-?\d+)\]", what)
    bare = re.fullmatch(r"(element|byte|index) (-?\d+) of (?:(\d+) elements|.*)", what)  # without a name
    if array < 0:  # the compiler's own check knows no array
        array = next((k for k, one in enumerate(arrays) if bare and bare[3] and one["count"] == int(bare[3])), None)
    index = None
    if array is not None and (named or bare):
        one = arrays[array]
        index = (int(named[2]) + int(named[1] or 0) * one["width"] if named
                 else int(bare[2]) // (one["element"] if bare[1] == "byte" else 1))
    place = [known(file), line] if line else [known(where.rpartition(":")[0]), int(where.rpartition(":")[2] or 0)]
    name = what if index is None else f"{arrays[array]['name']}[{index}]"
    return {"t": thread, "what": name, "w": writes, "p": [place],
            "c": max(own, default=-1) + 1, "a": None if index is None else array, "i": index}


def line_in(frame, report):
    """Returns whether the report names this line."""
    file, line = Path(frame[0]).name, frame[1]
    return bool(re.search(rf"\b{re.escape(file)}:{line}\b|{re.escape(file)}:\d+[^\n]*\n  and at lines? [^\n]*\b{line}\b", report))


def block_in(block, report):
    return f"block ({block[0]},{block[1]},{block[2]})" in report


def step_of(report, block, launch):
    """Returns (certainty, column, thread, element) of a report's mistake in the block, as far as they are known; None if it is not
    in this block. certainty: 0 if the page draws the mistake, 1 if it draws a thread at the report's line, otherwise 2"""
    if not block_in(block["block"], report):
        return None
    threads = threads_in(report, block["block"], launch)
    if block["stop"] and OUTSIDE.match(report):
        return 0, block["stop"]["c"], block["stop"]["t"], block["stop"]["what"]
    for barrier in block["barriers"]:
        if barrier["bad"] and DIVERGENT.match(report):
            return 0, barrier["c"], None, None
    races = [race for race in block["races"]
             if report.startswith("executor: race") and race["p2"] and line_in(race["p2"][0], report)]
    for race in sorted(races, key=lambda one: not names(report, block["arrays"][one["a"]], one["o"])):
        return 0, race["c"], race["t"], element_name(block["arrays"][race["a"]], race["o"])
    found, later = [], "".join(report.splitlines()[2:3])  # the second of two accesses
    for request in block["requests"]:
        if any(line_in(frame, report) for frame in request["p"]):
            is_later = any(line_in(frame, later) for frame in request["p"])
            array = block["arrays"][request["a"]] if "a" in request else None
            for thread, offset in zip(request["t"], request["o"]):
                if thread in threads:
                    is_named = array and names(report, array, offset)
                    found.append(("u" not in request, not is_later, not is_named, request["c"], thread,
                                  is_named and element_name(array, offset)))
    # Without such a request, the block ends there.
    return (1, *min(found, key=lambda one: one[:4])[3:]) if found else (2, max(0, block["columns"] - 1), None, None)


def is_of(launch, report):
    """Returns whether a report may be about this launch."""
    return "launched at" not in report or line_in([launch["file"], launch["line"]], report)


def document(lines, report, source, allowed=None):
    """Returns what the page shows. allowed: the only files whose text it shows; None: all that the lines name"""
    places, launches, files, names = {}, {}, {}, {}

    def known(name):
        """Returns the one name of a file, which the lines may give in several ways. Reads the file."""
        path = next((path for path in (Path(name), ROOT / name, source.parent / name)
                     if (path in allowed if allowed is not None else path.is_file())), None)
        if path is None:  # reports have the end of a path
            return next((one for one in files if one.endswith(f"/{name}")), name)
        one = names.setdefault(path.resolve(), name)
        if one not in files:
            files[one] = path.read_text(errors="replace").splitlines()
        return one

    reports = REPORT.findall(report)
    if source.suffix in (".cu", ".cpp", ".cuh"):
        known(str(source))
    for line in lines:
        places |= {code: [[known(name), number] for name, number in frames] for code, frames in line.get("code", {}).items()}
        if "launch" in line:
            launches[line["launch"]] = {**line, "file": known(line["file"]), "blocks": []}
    for line in lines:
        if "of" in line and (line["events"] or line["stop"]):
            launch = launches[line["of"]]
            line["waits"] = [[function, known(name), number] for function, name, number in line["waits"]]
            own = [one for one in reports if is_of(launch, one)]
            launch["blocks"].append(block_of(line, launch, places, files, own, known))
    shown = [launch for launch in launches.values() if launch["blocks"]]
    found = []
    for one in reports:
        steps = [(i, j, step_of(one, block, launch)) for i, launch in enumerate(shown) if is_of(launch, one)
                 for j, block in enumerate(launch["blocks"])]
        i, j, step = min((place for place in steps if place[2]), key=lambda place: place[2][0], default=(None,) * 3)
        text = one.partition("\n")[0].removeprefix("executor: ")
        if step and step[3]:  # the name of what is drawn, which a kernel may call otherwise than the host
            text = ELEMENT.sub(lambda _: f": {step[3]}", text, count=1)
        found.append([step and ".".join(str(part) for part in (i, j, *step[1:3]) if part is not None), text])
    return {"title": source.name, "report": "\n".join(reports), "found": found, "launches": shown,
            "advice": [advice_in(one) for one in reports], "files": files}
