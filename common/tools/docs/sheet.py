"""The cheat sheet as one page of paper: cheat_sheet_print.html, cut from its built page."""

from common.tools.docs.blocks import Blocks, inner

PAGE = "cheat_sheet.html"
PRINTED = "cheat_sheet_print.html"


def written(page):
    blocks = Blocks(page).found
    first = next(place for place, (tag, *_) in enumerate(blocks) if tag == "h1")  # above it: the link to this page
    parts = [f"<h2>{inner(element)}</h2>" if tag == "h1" else element for tag, _, element in blocks[first:]
             if tag in ("h1", "p", "table")]
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/><title>CUDA on one page</title>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
            '<link href="sheet.css" rel="stylesheet"/></head>\n'
            '<body><h1>CUDA on one page <small>N-Body Ladder</small></h1>\n'
            f'<main>{"".join(parts)}</main></body></html>\n')


def write(folder):
    (folder / PRINTED).write_text(written((folder / PAGE).read_text()))
