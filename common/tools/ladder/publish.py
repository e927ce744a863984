"""Writes the files that show recorded results: README.md, docs/results.md, the ladder's chart, and numbers in texts."""

import json

from common.base.command_line import CommandFailed, shown_path
from common.tools import packages
from common.tools.docs import check as texts
from common.tools.docs import results
from common.tools.ladder import pages
from common.tools.ladder.recorded import CHART, Recorded
from common.tools.ladder.store import keep, shown_folder

REWRITE = "./run record --rewrite"


def stale(folder):
    """Returns the files that differ from what the folder's results give."""
    recorded = Recorded(folder)
    files = [page for page, text in pages.written(recorded).items() if page.read_text() != text]
    text = recorded.chart_text().encode()  # the files contain it as metadata
    return files + [folder / name for name in CHART if not (folder / name).exists() or text not in (folder / name).read_bytes()]


def check():
    """Checks the tables and the chart, which name their commits: the recorded results must give them."""
    folder = shown_folder()
    if files := stale(folder):
        raise CommandFailed(f"{', '.join(map(shown_path, files))}: not what the results in {shown_path(folder)} give; "
                            f"{REWRITE} writes them again")
    print(f"README.md, docs/results.md: the tables and the chart are those of {shown_path(folder)}")


def draw(folder):
    """Draws the chart's files again and returns them; none if there are no rates or no matplotlib."""
    if not (folder / "ladder.json").exists() or not (recorded := Recorded(folder)).rates():
        return []
    if not packages.has_module("matplotlib"):
        print(f"No chart: this python3 has no matplotlib. With it, {REWRITE} draws it.")
        return []
    from common.tools.plots import ladder  # needs matplotlib
    return ladder.draw(recorded, folder / "ladder")


def write(folder):
    """Writes the files made from records and returns them: the chart, and tables if README.md shows this GPU."""
    files = draw(folder)
    if folder == shown_folder():
        for made in (pages.written(Recorded(folder)), backed_pages()):
            for page, text in made.items():
                page.write_text(text)
                files.append(page)
    return files


def backed_pages():
    """Returns the texts whose numbers name a query, with the recorded results, if they change."""
    found = {}
    for page in texts.texts():
        text = page.read_text()
        again = texts.backed_again(text, results.Results())
        if again != text:
            found[page] = again
    return found


def record(files):
    """Stores the files (the first is the JSON), and writes the files that show them."""
    folder = keep(files, json.loads(files[0].read_text())["device"])
    files = [folder, *write(folder)]
    stays = "" if pages.README in files else "; README.md shows another GPU and stays as it is"
    print(f"Recorded: {', '.join(map(shown_path, files))}{stays}")
