"""Text of others' making - a hand-in's, its author's name - as text that no reader takes for anything else."""


def printable(text):
    """The text in one line: what is no printable character - controls, newlines, bytes that are no UTF-8 - escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))
