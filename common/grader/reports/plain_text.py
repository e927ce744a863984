"""Text of others' making - a submission's, its author's name - as text that no reader takes for anything else."""

import re

LONGEST = 400  # characters of a line: templates give compilers much to say


def printable(text):
    """The text in one line: what is no printable character - controls, newlines, bytes that are no UTF-8 - escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))


def clipped(text):
    """printable(), of no more than LONGEST characters."""
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST - 3]}..."


def markdown(text):
    """The text in one line of Markdown, also in a table: each mark as a number, which never is markup."""
    return re.sub(r"[!-'*+;-@\[-`{-~]", lambda mark: f"&#{ord(mark.group())};", clipped(text))
