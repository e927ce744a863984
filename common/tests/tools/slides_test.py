"""Tests of the slides that are cut from a built page; no site is needed."""

import unittest

from common.tools.docs import slides
from common.tools.docs.blocks import SHORT, first_sentence

PAGE = """<html><head><title>N-Body Ladder: 09: A page</title>
<script type="text/x-mathjax-config">1</script><script src="mathjax/MathJax.js"></script></head><body>
<div class="textblock"><p ><a class="anchor" id="x"></a> <b>The question.</b> Why &amp; how?</p>
<h1><a class="anchor" id="a"></a>
One</h1>
<p >The first sentence of a paragraph, with <code>a.b</code> and \\(1 &lt; 2. A\\), is long enough. The second is not here.</p>
<figure class="diagram"><svg viewBox="0 0 1 1"><rect x="1"/></svg><figcaption>A picture.</figcaption></figure>
<p class="formulaDsp">\\[ x \\]</p>
<p >Here it is:</p>
<details><summary>What 9.1 asks for</summary><div class="fragment">int secret;</div></details>
<ul><li>An item of a list that goes on for a while without an end</li><li><p >Short. And the next.</p></li></ul>
<table class="results"><tbody><tr><td>1</td></tr></tbody></table>
<p class="stamp">measured</p>
<div class="mutant"><details class="diff"><summary>a mistake</summary><pre>secret</pre></details><pre class="report">race</pre></div>
<figure class="widget" id="w"></figure><noscript>no</noscript><script src="w.js"></script>
<h1>Further reading</h1><p >A book that nobody reads aloud, in a sentence of some length.</p>
<nav class="chain"><a href="b.html">b</a></nav> </div><div class="other"><p >Not of the text.</p></div></body></html>"""


class Decks(unittest.TestCase):
    def test_a_page_becomes_slides(self):
        deck = slides.Deck(PAGE)
        self.assertEqual(deck.title, "09: A page")
        headings, contents = zip(*deck.slides)
        self.assertEqual(headings, ("09: A page", *["One"] * 5))
        self.assertIn("Why &amp; how?", contents[0])
        self.assertEqual(contents[1], "<ul><li>The first sentence of a paragraph, with <code>a.b</code> and \\(1 &lt; 2. A\\), "
                         'is long enough.</li></ul><figure class="diagram"><svg viewBox="0 0 1 1"><rect x="1"/></svg>'
                         "<figcaption>A picture.</figcaption></figure>")
        self.assertIn("\\[ x \\]", contents[2])
        self.assertIn("<li>Short. And the next.</li>", contents[2])
        self.assertTrue(contents[3].startswith("<table") and contents[3].endswith('<p class="stamp">measured</p>'))
        self.assertIn("a mistake", contents[4])
        self.assertEqual(deck.scripts, ['<script src="w.js"></script>'])

    def test_a_fold_stays_on_the_page(self):
        written = slides.written(PAGE, "step_09.html")
        for hidden in ("secret", "What 9.1", "Not of the text", "nobody reads", "is not here"):
            self.assertNotIn(hidden, written)
        for shown in ('<footer><a href="step_09.html">', "6 / 6", "MathJax.js", "slides.css", "slides.js"):
            self.assertIn(shown, written)


class Sentences(unittest.TestCase):
    def test_the_first_one(self):
        long = "x" * SHORT
        for text, sentence in ((f"{long}. Y.", f"{long}."), (f"({long}.) A {long}! B", f"A {long}!"),
                               ("A. B.", "A. B."), ("Look:", ""), ("(Only this.)", ""), (f"<b>A.</b> {long}? B", f"<b>A.</b> {long}?"),
                               (f"<em>{long}. Y</em> z. A", f"<em>{long}. Y</em> z."),
                               (f"{long} 31.4. next. A", f"{long} 31.4. next.")):
            self.assertEqual(first_sentence(text), sentence, text)
