"""A little SVG: what the diagrams are made of. Colours are classes of docs/theme/ladder.css."""

import html


class Drawing:
    """Shapes in one picture, which takes its title for readers who do not see it."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title = width, height, title
        self.parts = []

    def add(self, tag, kind, **attributes):
        words = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
        self.parts.append(f'<{tag} class="{kind}"{words}/>')

    def box(self, x, y, width, height, kind="none", **more):
        self.add("rect", kind, x=round(x, 1), y=round(y, 1), width=round(width, 1), height=round(height, 1), **more)

    def line(self, x1, y1, x2, y2, kind="line", **more):
        self.add("line", kind, x1=round(x1, 1), y1=round(y1, 1), x2=round(x2, 1), y2=round(y2, 1), **more)

    def dot(self, x, y, radius=3, kind="a"):
        self.add("circle", kind, cx=round(x, 1), cy=round(y, 1), r=radius)

    def arrow(self, x1, y1, x2, y2, kind="line"):
        self.line(x1, y1, x2, y2, kind, marker_end="url(#arrow)")

    def path(self, points, kind="line", **more):
        self.add("path", kind, d="M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points), **more)

    def text(self, x, y, words, kind=""):
        if words:
            self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{html.escape(words)}</text>')

    def grid(self, x, y, columns, rows, side, kind=lambda column, row: "none", words=lambda column, row: ""):
        """Squares with words in their middle; a kind of None leaves a square out."""
        for row in range(rows):
            for column in range(columns):
                left, top = x + column * side, y + row * side
                if kind(column, row):
                    self.box(left, top, side, side, kind(column, row))
                    self.text(left + side / 2, top + side / 2 + 5, str(words(column, row)), "small middle")

    def svg(self):
        marker = ('<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
                  'orient="auto-start-reverse"><path d="M0 0 L8 4 L0 8 z" fill="currentColor"/></marker></defs>')
        return (f'<svg viewBox="0 0 {self.width} {self.height}" width="{self.width}" role="img" '
                f'xmlns="http://www.w3.org/2000/svg"><title>{html.escape(self.title)}</title>{marker}'
                + "".join(self.parts) + "</svg>")
