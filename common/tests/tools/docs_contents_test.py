"""Tests of the docs' order of pages and of what their search looks in; doxygen is not needed."""

from common.tests.tools.case import InFolder
from common.tools.docs import check, code_links, search, tags
from common.tools.docs.contents import Contents, with_anchors
from common.tools.docs.pages import TITLE, BadPage, Pages
from common.tools.docs.results import Results


class Order(InFolder):
    """docs/theme/layout.xml: the sidebar, and previous and next."""

    def test_every_page_has_a_place_and_every_place_a_page(self):
        there = {TITLE.match(page.read_text())[1] for page in check.pages()} | {"mutants", "results", "gallery", "gpus"}
        self.assertEqual(set(Contents().titles), there)

    def test_previous_and_next(self):
        contents = Contents(["gallery"])
        self.assertNotIn("gallery", contents.titles)
        self.assertEqual(contents.neighbours("mainpage"), (None, "step_01"))
        self.assertEqual(contents.neighbours("step_02"), ("step_01", "step_03"))
        self.assertEqual(contents.neighbours("reference")[1], None)
        self.assertIn('<a rel="prev" href="index.html">', contents.foot("step_01"))
        with self.assertRaisesRegex(BadPage, "docs/pages/x.md: page nowhere has no place in docs/theme/layout.xml"):
            Pages(Results(), self.folder).write("x.md", "# A {#nowhere}\n", "nowhere")

    def test_headings_can_be_linked_to(self):
        lines = ["# T {#p}", "## A, *b*", "```{.sh}", "## c", "```", "### D {#d}"]
        named = [*lines[:1], "## A, *b* {#p_a_b}", *lines[2:]]
        self.assertEqual(with_anchors(lines, "p"), named)
        long = with_anchors([f"## {word}" for word in ("One", "Two", "Three", "Four")], "p")
        self.assertEqual(long[-1], "\\tableofcontents{HTML:2}")

    def test_words_of_the_glossary_can_be_linked_to(self):
        head = ["| word | meaning |", "| --- | --- |"]
        self.assertEqual(with_anchors([*head, "| NCCL, MPI | a |"], "glossary"),
                         [*head, "| \\anchor glossary_nccl_mpi NCCL, MPI | a |"])
        self.assertEqual(with_anchors(["| a | b |"], "p"), ["| a | b |"])


class Search(InFolder):
    """What the site's search looks in."""

    def test_sections_of_a_page(self):
        self.write("p.html", '<div class="title">T</div><div class="contents"><div class="toc">no<div>no</div></div>'
                   '<p>One \\(x\\)<b>two</b>&amp;</p><div class="ttc"><div>no</div></div>'
                   '<h1><a class="anchor" id="p_h"></a>Head</h1><table>'
                   "<tr><td>three</td><td>four</td></tr></table><script>no</script><pre class='diff'>no</pre></div>")
        self.assertEqual(search.pages(self.folder, {"p": "Page"}), [
            {"page": "Page", "heading": "", "text": "One …two&", "address": "p.html"},
            {"page": "Page", "heading": "Head", "text": "three four", "address": "p.html#p_h"}])

    def test_a_row_that_can_be_linked_to_is_a_section(self):
        self.write("p.html", '<div class="contents"><table><tr><th>word</th></tr>'
                   '<tr><td><a class="anchor" id="p_a"></a>a b</td><td>c <b>d</b></td></tr>'
                   '<tr><td><a class="anchor" id="p_e"></a>e</td><td>f</td></tr></table></div>')
        self.assertEqual([(row["heading"], row["text"], row["address"]) for row in search.pages(self.folder, {"p": "Page"})],
                         [("", "word", "p.html"), ("a b", "c d", "p.html#p_a"), ("e", "f", "p.html#p_e")])

    def test_names_of_the_reference(self):
        member = "<member><name>f</name><anchorfile>n.html</anchorfile><anchor>a1</anchor></member>"
        file = self.write("tags.xml", "<tagfile>"
                          f'<compound kind="file"><name>f.hpp</name><filename>f_8hpp.html</filename>{member}</compound>'
                          f'<compound kind="namespace"><name>n</name><filename>n.html</filename>{member}</compound>'
                          '<compound kind="page"><name>p</name><filename>p</filename></compound>'
                          '<compound kind="file"><name>p.md</name><filename>p_8md.html</filename></compound></tagfile>')
        self.assertEqual(search.names(tags.entries(file)), [["f", "n.html#a1", "n"], ["f.hpp", "f_8hpp.html", "file"],
                                              ["n", "n.html", "namespace"]])


class CodeLinks(InFolder):
    """Which names of quoted code stay links."""

    def compound(self, kind, name, *members):
        rows = "".join(f'<member kind="{each}"><name>n</name><anchorfile>{name}.html</anchorfile><anchor>{each}</anchor></member>'
                       for each in members)
        path = "<path>/x/common/cuda/</path>" if name == "check.hpp" else ""
        return f'<compound kind="{kind}"><name>{name}</name>{path}<filename>{name}.html</filename>{rows}</compound>'

    def setUp(self):
        super().setUp()
        file = self.write("tags.xml", "<tagfile>" + "".join([
            self.compound("namespace", "nbody", "function", "variable", "typedef"),
            self.compound("namespace", "nbody::step_01", "function"), self.compound("namespace", "nbody::step_02", "function"),
            self.compound("namespace", "nbody::executor", "function"), self.compound("class", "nbody::executor::Tile"),
            self.compound("class", "nbody::Tile"), self.compound("file", "check.hpp", "define"),
            self.compound("file", "qualifiers.hpp", "define")]) + "</tagfile>")
        self.entries = tags.entries(file)

    def kept(self, target, after="(", step="01"):
        link = f'<a class="code hl_x" href="{target}">n</a>'
        text = f'<div class="fragment">{link}{after}</div><!-- fragment -->'
        mended = code_links.mended(text, self.entries, step)
        self.assertIn(mended, (text, text.replace(link, "n")))
        return mended == text

    def test_a_link_leads_where_the_code_means(self):
        for target in ("nbody.html#function", "nbody::step_01.html#function", "nbody.html#typedef", "nbody::Tile.html",
                       "check.hpp.html#define"):
            self.assertTrue(self.kept(target), target)
        for target in ("nbody::step_02.html#function", "nbody::executor.html#function", "nbody::executor::Tile.html",
                       "nbody.html#variable", "qualifiers.hpp.html#define", "gone.html#a"):
            self.assertFalse(self.kept(target), target)

    def test_a_parameter_is_no_call(self):
        self.assertTrue(self.kept("nbody.html#function", after="&lt;4&gt;("))
        self.assertFalse(self.kept("nbody.html#function", after=", "))

    def test_on_a_page_of_no_step_no_step_is_meant(self):
        self.assertFalse(self.kept("nbody::step_01.html#function", step=""))

    def test_other_text_stays(self):
        text = '<p><a class="code" href="gone.html">n</a></p>'
        self.assertEqual(code_links.mended(text, self.entries, "01"), text)
