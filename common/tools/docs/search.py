"""Makes the index of the site's search from the HTML of the pages' sections and the names of the reference.

The index is a script, because a page that is opened as a file may not load JSON. docs/theme/search.js loads it on demand.
"""

import html
import json
import re
import xml.etree.ElementTree

# Scripts, drawings, diffs, stamps, formulas, tables of contents, and Doxygen's boxes that pop up over names.
LEFT_OUT = re.compile(r'<(script|style|svg|noscript)\b.*?</\1>|<(details|p|span) class="(?:diff|stamp|formulaDsp)".*?</\2>'
                      r'|<div class="toc.*?</div>|<div class="ttc"[^\n]*|\\\(.*?\\\)', re.DOTALL)
WITHIN_WORDS = re.compile(r"</?(?:a|b|code|em|span|strong|sub|sup|wbr)\b[^>]*>")
ANCHOR = re.compile(r'<(?:h[1-3]|td)[^>]*><a class="anchor" id="([^"]+)"></a>')
KINDS = {"class", "struct", "union", "namespace", "file"}


def plain(text):
    """Returns the words between the tags, on one line."""
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", WITHIN_WORDS.sub("", text))).split())


def sections(address, page):
    """Yields the parts of a page: one before the first heading, one per heading, one per table row with an anchor."""
    title = plain(re.search("<title>.*?: (.*)</title>", page)[1])
    body = page[page.index('<div class="contents">') : page.index("</div><!-- contents -->")]
    first, *others = ANCHOR.split(LEFT_OUT.sub(lambda found: "…" if found[0].startswith("\\") else " ", body))
    found = [{"page": title, "heading": "", "text": plain(first), "address": address}]
    for anchor, part in zip(others[::2], others[1::2]):
        heading, text = re.split("</(?:h[1-3]|td)>", part, maxsplit=1)
        found.append({"page": title, "heading": plain(heading), "text": plain(text), "address": f"{address}#{anchor}"})
    return found


def names(tags):
    """Returns [name, address, place] of everything in the reference, from Doxygen's tag file."""
    found = {}
    for compound in xml.etree.ElementTree.parse(tags).getroot():
        kind, name, place = compound.get("kind"), compound.findtext("name"), compound.findtext("filename")
        if kind in KINDS and not name.endswith(".md"):
            found[place] = [name, place, kind]
        for member in compound.iter("member"):
            place = f"{member.findtext('anchorfile')}#{member.findtext('anchor')}"
            if place not in found or kind != "file":  # a member of a namespace is also a member of its file
                found[place] = [member.findtext("name"), place, name]
    return sorted(found.values(), key=lambda row: (re.sub(".*::", "", row[0]).lower(), row[2]))


def write(script, files, tags):
    pages = [section for file in files for section in sections(file.name, file.read_text())]
    script.write_text("".join(
        f"var {name}={json.dumps(made, ensure_ascii=False, separators=(',', ':'))};\n"
        for name, made in (("search_pages", pages), ("search_names", names(tags)))))
