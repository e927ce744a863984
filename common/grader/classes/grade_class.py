"""A class: its submissions, which of them have a result already, and the results of the others."""

import datetime

from common.base.command_line import BadInput
from common.grader.classes.folders import fingerprint, graded_folder, student_folders, task_fingerprint
from common.grader.classes.results import row
from common.grader.classes.run import Grading, command_of
from common.grader.grading import needed


class Class:
    """What is graded, and what is known of it."""

    def __init__(self, options, step, exercise, results):
        self.options = options
        self.results = results
        self.task = task_fingerprint(step, exercise)
        self.needed = needed(exercise)
        passed_over = {results.table.resolve(), results.folder.resolve()}
        self.folders, self.others = student_folders(options.submissions, passed_over)
        if not self.folders:
            raise BadInput(f"{options.submissions} has no folders; each submission must be a folder")
        self.entries = {}
        self.graded = 0  # by this call
        self.failures = 0  # of the grader
        self.progress = None

    def is_done(self, submission):
        """Whether there is a result of this submission as it is now, graded as it is asked for now."""
        entry = self.entries.get(submission.name)
        try:
            folder, why = graded_folder(submission, self.needed)
            if entry is None or folder is None:
                return entry is not None and (entry["status"], entry["message"]) == ("no submission", why)
            return (entry["result"] is not None
                    and fingerprint(folder, self.task) == entry.get("fingerprint")
                    and self.options.seed in (None, entry["result"]["seed"])
                    and (entry.get("speed_graded") or not self.options.gpu_build))
        except OSError:
            return False  # its row says what is wrong

    def waiting(self):
        """The submissions without a result."""
        return [folder for folder in self.folders if self.options.again or not self.is_done(folder)]

    def begin(self, submission):
        """A Grading of this submission, or None where it has nothing to run."""
        try:
            folder, why = graded_folder(submission, self.needed)
            if folder:
                command = command_of(self.options, self.options.grader, folder)
                return Grading(submission.name, fingerprint(folder, self.task), command, self.results.running)
            status = "no submission"
        except OSError as error:
            status, why = "not graded", f"{error.filename}: {error.strerror}"
        self.keep(submission.name, status, why)
        return None

    def finished(self, grading):
        result, text = grading.outcome()
        if result is None:
            self.keep(grading.student, "not graded", text, fingerprint=grading.fingerprint)
        else:
            self.keep(grading.student, "graded", "", result=result, report=text, fingerprint=grading.fingerprint,
                      speed_graded=bool(self.options.gpu_build))

    def keep(self, student, status, message, result=None, **others):
        now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
        entry = {"student": student, "status": status, "message": message, "graded_at": now, "result": result, **others}
        self.progress.finished(row(entry))
        if status == "not graded":
            self.failures += 1
            before = self.entries.get(student)
            # A grader that fails takes no grade away that these very files have earned.
            if before and before["result"] and before.get("fingerprint") == entry.get("fingerprint"):
                return
        self.results.keep(entry)
        self.entries[student] = entry
        self.graded += 1
