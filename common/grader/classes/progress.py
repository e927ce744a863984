"""What grading a class shows while it goes on and at its end."""

import shutil
import statistics
import sys
import time

from common.grader.reports.report import printable

WIDTH = 24  # characters of the bar
EVERY = 0.5  # seconds between two pictures of it
MESSAGE = 90  # characters of a message in a line


def duration(seconds):
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def score_of(row):
    return "-" if row["score"] == "" else f"{row['score']:g}"


class Progress:
    """In a terminal a bar, and a line for each submission that could not be graded; elsewhere a line for each."""

    def __init__(self, total, jobs, stream=None):
        self.stream = stream or sys.stdout
        self.total = total
        self.jobs = jobs
        self.done = 0
        self.last = ""
        self.started = time.monotonic()
        self.drawn = 0.0
        self.draws = self.stream.isatty()

    def begin(self, all_of_them, others):
        kept = all_of_them - self.total
        before = f", {kept} are graded already" if kept else ""
        self.say(f"{all_of_them} submissions{before}: {self.total} to grade, {min(self.jobs, self.total)} at once")
        for name in others:
            self.say(f"not a submission, because it is not a folder: {printable(name)}")

    def finished(self, row):
        """row: of the table"""
        self.done += 1
        self.last = f"{row['student']}: {score_of(row)}"
        if self.draws and row["status"] != "not graded":
            return
        width = len(str(self.total))
        message = f"  {row['message'][:MESSAGE]}" if row["message"] else ""
        self.say(f"{self.done:{width}}/{self.total}  {score_of(row):>5}  {row['student']}: {row['status']}{message}")

    def tick(self):
        if self.draws and time.monotonic() - self.drawn >= EVERY:
            self.drawn = time.monotonic()
            columns = shutil.get_terminal_size().columns
            print(f"\r\033[K{self.bar(self.drawn - self.started)[:columns - 1]}", end="", file=self.stream, flush=True)

    def bar(self, seconds):
        full = WIDTH * self.done // max(1, self.total)
        left = f", {duration(seconds / self.done * (self.total - self.done))} left" if self.done else ""
        last = f"; {self.last}" if self.last else ""
        return f"[{'#' * full}{'-' * (WIDTH - full)}] {self.done}/{self.total}{left}{last}"

    def clear(self):
        if self.draws:
            print("\r\033[K", end="", file=self.stream, flush=True)

    def say(self, line):
        self.clear()
        print(line, file=self.stream, flush=True)


def summary(rows, now, gone, left, seconds):
    """rows: of the table; now: graded by this call; gone: without a folder any more; left: not come to."""
    scores = [row["score"] for row in rows if row["score"] != ""]
    counts = {status: sum(row["status"] == status for row in rows)
              for status in ("does not build", "no submission", "not graded")}
    parts = [f"{len(rows)} in the table, {now} of them graded now in {duration(seconds)}",
             f"{left} not yet graded" if left else "",
             f"{gone} from earlier calls, whose folders no longer exist" if gone else ""]
    lines = ["; ".join(part for part in parts if part)]
    if scores:
        full = sum(score == 100 for score in scores)
        lines.append(f"mean {statistics.fmean(scores):.1f} of 100 points; {full} with full marks; "
                     f"{counts['does not build']} do not compile; {counts['no submission']} without a submission; "
                     f"{counts['not graded']} not graded")
    timed = [row for row in rows if row["seconds"] != ""]
    if timed:
        slowest = max(timed, key=lambda row: row["seconds"])
        lines.append(f"slowest: {slowest['student']}, {duration(slowest['seconds'])}")
    return "\n".join(lines)
