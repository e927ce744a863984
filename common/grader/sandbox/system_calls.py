"""System calls that a submission may not use: a filter of the kernel (seccomp), which bubblewrap installs.

As a script, this file writes the filter that libseccomp makes. The system's own Python runs it, because it has Debian's module
seccomp, and the grader's Python may be another one.
"""

import errno
import functools
import subprocess
import sys

PYTHON = "/usr/bin/python3"
PACKAGE = "python3-seccomp"
# Calls that neither a compiler nor a kernel on the executor needs.
REFUSED = [
    # Memory that exists without being mapped: no limit would count it.
    "shmget", "msgget", "semget", "mq_open", "memfd_create", "memfd_secret",
    # Access to other processes: the end of the sandbox's first process ends all others.
    "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp",
    # Calls that namespaces do not separate, and calls that bypass this filter.
    "add_key", "request_key", "keyctl", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup"]


@functools.lru_cache
def call_filter():
    """Returns the bytes of the filter; None if the system's Python has no libseccomp."""
    try:
        made = subprocess.run([PYTHON, "-I", __file__], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return None
    return made.stdout if made.returncode == 0 else None


def write_filter(file):
    import seccomp
    refuse = seccomp.ERRNO(errno.EPERM)
    calls = seccomp.SyscallFilter(seccomp.ALLOW)
    # Calls of other architectures, of 32 bits or x32, have other numbers.
    calls.set_attr(seccomp.Attr.ACT_BADARCH, refuse)
    for name in REFUSED:
        calls.add_rule(refuse, name)
    calls.export_bpf(file)


if __name__ == "__main__":
    write_filter(sys.stdout)
