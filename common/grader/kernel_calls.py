"""Whether a kernel calls a function of the host's, which nvcc refuses and a compiler for the host does not: its results
would be where no checker looks.
"""

import re

from common.grader.own_definitions import library_functions, said_of

FUNCTION = re.compile(r"^([0-9a-f]+) <(.+)>:$")
CALL = re.compile(r"\t(?:call|jmp|j[a-z]+) +[0-9a-f]+ <([^>+]+)(?:\+0x[0-9a-f]+)?>")
INDIRECT = re.compile(r"\t(?:notrack )?(?:call|jmp) +\*")
RELOCATION = re.compile(r"R_X86_64_\w+\t(\S+?)(?:([+-])0x([0-9a-f]+))?$")
SECTION = re.compile(r"^(?:Disassembly of section|RELOCATION RECORDS FOR) \[?([^\]:]+)\]?:$")
KERNEL = re.compile(r"_ZZN5nbody8executor4stubI")  # the function objects that the executor runs
# What CUDA has in kernels, and what a compiler puts there.
OF_DEVICE = re.compile(r"(?:__)?(?:mem(?:cpy|move|set|cmp|chr)|str(?:len|cmp|ncmp|chr)|malloc|free|abort|v?printf|puts|putchar)"
                       r"|__assert_fail|__stack_chk_fail|__cxa_\w+|__gxx_personality_v0|__libc_single_threaded"
                       r"|__tls_get_addr|_Zn[wa]\w+|_Zd[la]\w+|_ZSt\d+__throw_\w+|_ZSt9terminatev|_ZT[VIS]\w+"
                       r"|(?:copysign|frexp|ldexp|modf|scalbl?n|finite|isnan|isinf)[fl]?|_ZNS?t?\w*(?:exception|_error)\w*|_ZNKSt9type_info\w+")


def host_call(made, sandbox, compiler):
    """The name of a function of the host's that a kernel of the object `made` calls, itself or by others; None where none
    does. Where it calls by an address, all functions count whose addresses the object has.
    """
    listing = said_of(made, sandbox, "objdump", "-dr", "--no-show-raw-insn")
    data = said_of(made, sandbox, "objdump", "-r")
    calls, places, indirect = graph(listing)
    pointed = {target(match, places, 0) for match in data_relocations(data)}
    reached = [name for name in calls if KERNEL.match(name)]
    seen = set(reached)
    for name in reached:
        found = {target(call, places, 4) if isinstance(call, tuple) else call for call in calls.get(name, ())}
        if name in indirect:
            found |= pointed
        reached += sorted(found - seen)
        seen |= found
    host = library_functions(compiler, ("libc.so.6", "libstdc++.so.6"))
    return next((name for name in reached if name in host and not OF_DEVICE.fullmatch(name)), None)


def graph(listing):
    """(what each function names: a name, or a place as target() takes it; functions by section and address; those that
    call by an address)."""
    calls, places, indirect, section, name = {}, {}, set(), None, None
    for line in listing.splitlines():
        if begins := SECTION.match(line):
            section = begins[1]
        elif begins := FUNCTION.match(line):
            name = begins[2]
            calls.setdefault(name, [])
            places.setdefault(section, []).append((int(begins[1], 16), name))
        elif name is None:
            continue
        elif found := RELOCATION.search(line):
            calls[name].append(found.groups())
        elif found := CALL.search(line):
            calls[name].append(found[1])
        elif INDIRECT.search(line):
            indirect.add(name)
    return calls, places, indirect


def data_relocations(listing):
    """Of sections of data: what a pointer there can be to."""
    section = ""
    for line in listing.splitlines():
        if begins := SECTION.match(line):
            section = begins[1]
        elif section.startswith((".data", ".rodata", ".tdata", ".init_array")) and (
                found := re.search(r"R_X86_64_64 +(\S+?)(?:([+-])0x([0-9a-f]+))?$", line)):
            yield found.groups()


def target(relocation, places, behind):
    """The function that a relocation names, by itself or by its place in a section. behind: how far an address of code is
    counted from"""
    name, sign, offset = relocation
    if name not in places:
        return name
    at = (int(offset, 16) if offset else 0) * (-1 if sign == "-" else 1) + behind
    return next((function for begin, function in reversed(places[name]) if begin <= at), name)
