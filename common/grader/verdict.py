"""Decides which tool found a wrong kernel, from what its run printed."""

import dataclasses
import re

# "ERROR SUMMARY: 0 errors", "RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)"
SANITIZER_SUMMARY = re.compile(r"SUMMARY: (\d+) (?:errors?|hazards?)")
SANITIZER_FINDING = re.compile(
    r"^=+ ((?:Error: |Warning: )?(?:Invalid|Race|Potential|Uninit|Barrier|Divergent|Program hit).*)$", re.MULTILINE)


@dataclasses.dataclass
class Verdict:
    """by: executor, validation, compute-sanitizer, cuda, crash or hang; None if the run was clean"""

    by: str | None
    message: str = ""


def first(pattern, text):
    found = re.search(pattern, text, re.MULTILINE)
    return found.group(1).strip() if found else ""


def verdict(status, text, sanitizer=False):
    """Returns the Verdict. status: exit status, None if the time ran out; text: standard error, or all output of a sanitizer"""
    if sanitizer:
        summaries = SANITIZER_SUMMARY.findall(text)
        if any(int(count) for count in summaries):
            finding = SANITIZER_FINDING.search(text)
            return Verdict("compute-sanitizer", finding.group(1) if finding else "errors counted")
        if status is not None:
            return Verdict(None) if summaries else Verdict("crash", "the tool did not report")
    if status is None:
        return Verdict("hang")
    report = first(r"^(?:\w+: )?(?:rank \d+: )?executor: (.*)$", text)
    if report:
        return Verdict("executor", report)
    failure = first(r"check failed: (.*)$", text)
    if failure:
        hint = first(r"^  hint: (.*)$", text)
        return Verdict("validation", hint or failure)
    if status < 0:
        return Verdict("crash", f"signal {-status}")
    if status != 0:
        message = first(r"^\w+: (.*)$", text)
        return Verdict("cuda" if "failed: " in message else "executor", message)
    return Verdict(None)


def is_as_named(found, mutant):
    """Returns whether the tool that must name the mutant's mistake did so, with the words that it must use."""
    by = {"checker": "executor", "validation": "validation"}[mutant.tool]
    return found.by == by and any(words in found.message.lower() for words in mutant.words.lower().split(" | "))
