"""The system calls that a submission is refused: a filter of the kernel's (seccomp), which bubblewrap takes.

Run as a script, this file writes the filter that libseccomp makes. The system's own Python runs it, because it has Debian's
module seccomp; the grader's Python may be another.
"""

import errno
import functools
import subprocess
import sys

PYTHON = "/usr/bin/python3"
PACKAGE = "python3-seccomp"
# Nothing that a compiler or a kernel on the executor has use for.
REFUSED = [
    # Memory that stays though no process has it mapped: no limit and no look at processes would count it.
    "shmget", "msgget", "semget", "mq_open", "memfd_create", "memfd_secret",
    # Another process: the sandbox's own first one, at whose end all the others end.
    "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp",
    # Calls that no namespace divides, and calls that are a way around this filter.
    "add_key", "request_key", "keyctl", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup"]


@functools.lru_cache
def call_filter():
    """Bytes of the filter; None where the system's Python has no libseccomp."""
    try:
        made = subprocess.run([PYTHON, "-I", __file__], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return None
    return made.stdout if made.returncode == 0 else None


def write_filter(file):
    import seccomp
    refuse = seccomp.ERRNO(errno.EPERM)
    calls = seccomp.SyscallFilter(seccomp.ALLOW)
    # The calls of other architectures have other numbers: those of 32 bits, and x32's.
    calls.set_attr(seccomp.Attr.ACT_BADARCH, refuse)
    for name in REFUSED:
        calls.add_rule(refuse, name)
    calls.export_bpf(file)


if __name__ == "__main__":
    write_filter(sys.stdout)
