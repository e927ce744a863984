"""How often a scheduler can issue an instruction of a loop: a model of the register file.

Registers lie in two banks, by the last bit of their numbers. A bank hands out one register, of all 32 lanes, in a cycle. An
instruction has two cycles to read its operands; one that finds no room in them holds up all that follow. Which registers the
compiler keeps from the instruction before (.reuse, for the operand in the same place) are not read again.
"""

import re

BANKS, CYCLES_TO_READ = 2, 2
ROUNDS = 4  # of a loop: enough for its steady rate
REGISTER = re.compile(r"\bR(\d+)(\.64)?(\.reuse)?")
NO_RESULT = re.compile(r"(ST|RED|ATOM|BRA|BAR|[IFD]SETP)")  # whose first register is not one that is written


def operands(name, text):
    """{place: (register, whether it is kept)} of what an instruction reads; two places where it reads a pair."""
    words = [word for word in text.split(",") if not re.match(r"\s*!?U?P\d|\s*!?U?PT", word)]
    places = {}
    for place, word in enumerate(words if NO_RESULT.match(name) else words[1:]):
        if name.startswith("FADD") and place == 1:
            place = 2  # where a multiply-add has what it adds to
        for found in REGISTER.finditer(word):
            places[place] = (int(found[1]), bool(found[3]))
            if found[2]:
                places[place, "high"] = (int(found[1]) + 1, False)
    return places


def reads(instructions):
    """Of each instruction of a loop in its steady state: how many registers of each bank."""
    kept, counted = {}, []
    for _ in range(2):  # the first goes into the second
        counted = []
        for _, name, text in instructions:
            places = operands(name, text)
            fresh = {register for place, (register, _) in places.items() if kept.get(place) != register}
            kept = {place: register for place, (register, keep) in places.items() if keep}
            counted.append([sum(register % BANKS == bank for register in fresh) for bank in range(BANKS)])
    return counted


def issue_rate(instructions):
    """Instructions a cycle of one scheduler that has enough warps, as the register file allows."""
    busy, now = set(), 0
    loop = reads(instructions) * ROUNDS
    for counts in loop:
        while (taken := room(counts, busy, now)) is None:
            now += 1
        busy = {slot for slot in busy if slot[0] >= now} | taken
        now += 1
    return len(loop) / now


def room(counts, busy, now):
    """The first free reads of each bank for an instruction that is issued now; None where there are too few."""
    taken = set()
    for bank, count in enumerate(counts):
        free = [(cycle, bank) for cycle in range(now, now + max(CYCLES_TO_READ, count)) if (cycle, bank) not in busy]
        if len(free) < count:
            return None
        taken.update(free[:count])
    return taken
