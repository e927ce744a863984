"""Complaints about a submission, and the error of a submission that cannot be built."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Complaint:
    """A mistake in one line, with details and its place in the student's files, if it is known."""

    text: str
    details: tuple = ()
    file: str | None = None
    line: int | None = None
    credit: float = 0  # share of the test's points that is earned
    is_effect: bool = False  # says what is wrong with forces, which the mistake of another complaint may explain
    nothing_new: bool = False  # the kernel does not have the step's idea

    def in_a_line(self):
        place = f"{self.file}:{self.line}: " if self.file else ""
        return "; ".join([place + self.text, *self.details])


class DoesNotBuild(Exception):
    """A submission cannot be built. Carries the Complaint of the compiler or the linker."""

    def __init__(self, complaint):
        super().__init__(complaint.text)
        self.complaint = complaint
