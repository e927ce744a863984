"""Limits what a submission can see and access while it is compiled and run: with bubblewrap's namespaces, or with less."""

import contextlib
import glob
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

from common.base.command_line import ROOT, BadInput, lies_in
from common.grader.sandbox.system_calls import PACKAGE, call_filter

SYSTEM = ["/usr", "/opt", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin", "/etc/alternatives",
          "/etc/ld.so.cache"]
# The whole environment, because the grader's own may contain secrets.
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LC_ALL": "C.UTF-8", "CCACHE_DISABLE": "1",
               "NBODY_EXECUTOR_THREADS": "1"}
SCRATCH_BYTES = 64 << 20  # size of /tmp in the sandbox, which is memory
FILES = 64  # open at the same time
PROCESSES = 64
# An unused UID, because RLIMIT_NPROC ignores root. The range is the one that systemd uses for temporary services.
NOBODY = 61184 + os.getpid() % 4000


class NoSandbox(BadInput):
    """Submissions cannot be isolated here. Says why."""


class Sandbox:
    """mode: "bubblewrap"; "user", another user of this system; or "none"."""

    def __init__(self, mode="bubblewrap", user=None):
        self.mode = mode
        self.user = pwd.getpwnam(user) if user else None

    @property
    def isolation(self):
        """Returns the mode for the result, and what this host lacks."""
        lacks = self.mode == "bubblewrap" and call_filter() is None
        return f"{self.mode} without a filter of system calls, which needs {PACKAGE}" if lacks else self.mode

    @staticmethod
    def chosen(trust, user):
        """Returns the Sandbox of a grader's options. Raises NoSandbox if there is none."""
        if trust:
            return Sandbox("none")
        if user:
            return Sandbox.of_user(user)
        if not shutil.which("bwrap"):
            raise NoSandbox("bubblewrap, which isolates a submission, is not installed; type: apt-get install "
                            f"bubblewrap {PACKAGE}; or grade without isolation with --trust")
        sandbox = Sandbox()
        try:
            tried = sandbox.start(sandbox.command(["true"]), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, errors="replace")
        except OSError as error:
            raise NoSandbox(f"bwrap: {error.strerror}; --trust grades without isolation") from None
        complaint = tried.communicate()[1]
        if tried.returncode != 0:
            why = (complaint.strip().splitlines() or [f"status {tried.returncode}"])[-1]
            raise NoSandbox(f"bubblewrap does not work here ({why}); --trust grades without isolation")
        return sandbox

    @staticmethod
    def of_user(name):
        if os.geteuid() != 0:
            raise NoSandbox("--user: only root can run submissions as another user")
        try:
            sandbox = Sandbox("user", name)
        except KeyError:
            raise NoSandbox(f"--user: there is no user '{name}'") from None
        if sandbox.user.pw_uid == 0:
            raise NoSandbox("--user: root is not another user")
        if sandbox.user.pw_uid in owners():
            raise NoSandbox(f"--user: '{name}' runs other programs, and they would be ended with the submission; "
                            "name a user who runs none")
        return sandbox

    def command(self, words, readable=(), writable=(), memory=None, file_bytes=None, gpu=False, folder="/tmp",
                first=None):
        """Returns the command line that runs the words in the sandbox. readable, writable: paths; memory: bytes of addresses
        per process; first: the program first_process, if the words are a submission's program
        """
        limits = ["prlimit", "--core=0"]
        limits += [f"--nofile={FILES}"] if self.mode != "none" and not gpu else []
        limits += [f"--as={memory}"] if memory else []
        limits += [f"--fsize={file_bytes}"] if file_bytes is not None else []
        # Set in the user namespace, it counts only processes there. Outside, processes of others would count.
        processes_limit = ["prlimit", f"--nproc={PROCESSES}", "--"] if self.mode != "none" and not gpu else []
        words = [*processes_limit, *map(str, words)]
        if self.mode == "none":
            return [*limits, "--", *words]
        if self.mode == "user":
            return [*as_user(self.user.pw_uid, self.user.pw_gid, "--no-new-privs"), *limits, "--", *words]
        if first:
            readable = [*readable, first]
        # The limits are outside, so that they also hold for bubblewrap's own processes.
        return [*limits, "--", *self.namespaces(), *(["--as-pid-1"] if first else []),
                *self.view(readable, writable, gpu, folder), "--", *([str(first)] if first else []), *words]

    def start(self, command, gpu=False, pass_fds=(), **options):
        """Starts a command from command(), with the filter of system calls unless gpu, because the driver has its own needs."""
        if self.mode != "none":  # others can read a first process's environment
            options["env"] = environment()
        if self.mode != "bubblewrap" or gpu or call_filter() is None:
            return subprocess.Popen(command, pass_fds=pass_fds, **options)
        with tempfile.TemporaryFile() as calls:
            calls.write(call_filter())
            calls.seek(0)
            after = command.index("bwrap") + 1
            command = [*command[:after], "--seccomp", str(calls.fileno()), *command[after:]]
            return subprocess.Popen(command, pass_fds=[*pass_fds, calls.fileno()], **options)

    def end(self):
        """Ends processes that a submission has left running as its user, because orphans are no longer our descendants."""
        if self.mode == "user":
            subprocess.run(self.command(["sh", "-c", "kill -KILL -1"]), check=False)
            with contextlib.suppress(ChildProcessError):  # a container's first process inherits orphans
                while True:
                    os.wait()

    def namespaces(self):
        """Returns the options that isolate: no network, no other processes, no way back, and no root rights."""
        return ["bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session",
                "--cap-drop", "ALL", "--clearenv",
                *(word for pair in ENVIRONMENT.items() for word in ("--setenv", *pair))]

    def view(self, readable, writable, gpu, folder):
        """Returns options that show the system's programs and libraries, and of the suite only the named paths, read-only."""
        words = ["--size", str(SCRATCH_BYTES), "--tmpfs", "/tmp"]
        for path in SYSTEM:
            if os.path.islink(path):
                words += ["--symlink", os.readlink(path), path]
            elif os.path.exists(path):
                words += ["--ro-bind", path, path]
        words += ["--proc", "/proc", "--dev", "/dev"]
        if gpu:
            words += ["--ro-bind", "/sys", "/sys"]
            for path in glob.glob("/dev/nvidia*"):
                words += ["--dev-bind", path, path]
        words += ["--tmpfs", str(ROOT)]  # in case the suite is in one of these
        for option, paths in (("--ro-bind", readable), ("--bind", writable)):
            for path in dict.fromkeys(map(str, paths)):
                if lies_in(path, ROOT) or not any(lies_in(path, folder) for folder in SYSTEM):
                    words += [option, path, path]
        words += ["--dir", str(folder), "--chdir", str(folder)]
        return [*words, "--remount-ro", str(ROOT), "--remount-ro", "/dev", "--remount-ro", "/"]

    def identity(self):
        """Returns the words before the command of a submission's program, which choose the user of the sandbox."""
        return as_user(NOBODY, NOBODY) if os.geteuid() == 0 and self.mode == "bubblewrap" else []

    def give(self, folder):
        """Lets the user who compiles and runs the submission use the folder."""
        for path in [Path(folder), *Path(folder).rglob("*")]:
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
            if self.mode == "user":
                os.chown(path, self.user.pw_uid, self.user.pw_gid)


def environment():
    """Returns all environment variables, with the folder of bubblewrap if it is elsewhere."""
    found = shutil.which("bwrap")
    return {**ENVIRONMENT, "PATH": f"{ENVIRONMENT['PATH']}:{Path(found).parent}" if found else ENVIRONMENT["PATH"]}


def as_user(user, group, *options):
    return ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", *options, "--"]


def owners():
    """Returns the users who run something."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it may have ended
            found.add(process.stat().st_uid)
    return found
