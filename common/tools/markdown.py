"""Tables in Markdown, and parts of pages that are written from data, each between two marks."""


def table(columns, rows, figures=()):
    """Returns a table. figures: numbers of the columns that are aligned to the right"""
    rule = ["---:" if k in figures else "---" for k in range(len(columns))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [columns, rule, *rows])


def with_section(page, name, text, writer):
    """Returns the page with this text in the part of that name. writer: the command that its mark names"""
    begin, end = f"<!-- {name}: begin (written by {writer}) -->", f"<!-- {name}: end -->"
    before, rest = page.split(begin)
    return f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}"
