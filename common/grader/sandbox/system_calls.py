"""The system calls that a submission is refused, as a filter of the kernel's (seccomp), which bubblewrap takes."""

import contextlib
import os
import struct

# Number on x86-64 and on AArch64. Nothing that a compiler or a kernel on the executor has use for.
REFUSED = {
    # Memory that stays though no process has it mapped: no limit and no look at processes would count it.
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180), "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    # Another process: the sandbox's own first one, at whose end all the others end.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    # What no namespace divides, and what is a way around this filter.
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425)}
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}  # the kernel's name of it; column above
X32 = 0x40000000  # and above: x86-64's calls by other numbers
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06  # of classic BPF
ALLOW, REFUSE = 0x7FFF0000, 0x00050001  # the latter with EPERM


def instruction(code, value, then=0, otherwise=0):
    return struct.pack("=HBBI", code, then, otherwise, value)


def call_filter(machine):
    """Bytes of the filter; None for a machine whose numbers are not known."""
    if machine not in MACHINES:
        return None
    architecture, column = MACHINES[machine]
    refuse = instruction(RETURN, REFUSE)
    parts = [instruction(LOAD, 4), instruction(EQUAL, architecture, then=1), refuse,
             instruction(LOAD, 0), instruction(AT_LEAST, X32, otherwise=1), refuse]
    for numbers in REFUSED.values():
        parts += [instruction(EQUAL, numbers[column], otherwise=1), refuse]
    return b"".join([*parts, instruction(RETURN, ALLOW)])


@contextlib.contextmanager
def filter_descriptor():
    """A descriptor that the filter can be read from once; None where there is none."""
    content = call_filter(os.uname().machine)
    if content is None:
        yield None
        return
    reading, writing = os.pipe()
    try:
        os.write(writing, content)
        os.close(writing)
        yield reading
    finally:
        os.close(reading)
