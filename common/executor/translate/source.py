"""A lexed file: its brackets, what each brace opens, and words around a place."""

from common.executor.translate.tokens import MARKER, tokens_of

OPEN, CLOSE = ("(", "[", "{"), (")", "]", "}")
# Words with parentheses that are not the name of a function.
ATTRIBUTES = {"__attribute__", "alignas", "__align__", "__builtin_align__", "decltype", "__declspec", "noexcept",
              "__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__block_size__", "explicit", "requires"}


class NotTranslated(Exception):
    """Code that the executor cannot run: "file:line: error: reason", like a compiler's message."""


class Source:
    """Positions are indices of `words`: tokens without spaces and markers, which is what the grammar needs."""

    def __init__(self, text, own=""):
        self.all = tokens_of(text, own)
        self.words = [token for token in self.all if token.kind not in ("space", "marker")]
        self.match = {}  # the other bracket of each bracket
        self.scope = []  # innermost brace around each word, or None
        self.opens = {}  # for each opening brace: "namespace", "class" or "code"
        self.pair_brackets()

    def __str__(self):
        return "".join(token.before + token.text + token.after for token in self.all)

    def text(self, i):
        return self.words[i].text if 0 <= i < len(self.words) else ""

    def is_name(self, i):
        return 0 <= i < len(self.words) and self.words[i].kind == "name"

    def is_call(self, i):
        """Returns whether a list in parentheses follows word i, as in a call."""
        return self.text(i + 1) == "(" and i + 1 in self.match

    def after(self, i):
        """Returns the next word after word i, or after the bracket that closes if one opens at i."""
        return self.match[i] + 1 if self.text(i) in OPEN and i in self.match else i + 1

    def blank(self, first, end):
        for word in self.words[first:end]:
            word.text = word.before = word.after = ""

    def pair_brackets(self):
        open_brackets, braces = [], []
        for i, word in enumerate(self.words):
            self.scope.append(braces[-1] if braces else None)
            if word.kind != "op":
                continue
            if word.text in OPEN:
                open_brackets.append(i)
                if word.text == "{":
                    braces.append(i)
            elif word.text in CLOSE and open_brackets:
                other = open_brackets.pop()
                self.match[i], self.match[other] = other, i
                if word.text == "}" and braces:
                    braces.pop()
                    self.scope[i] = braces[-1] if braces else None
        for i, word in enumerate(self.words):
            if word.kind == "op" and word.text == "{":
                self.opens[i] = self.what_opens(i)

    def what_opens(self, brace):
        words, i = [], brace - 1
        while i >= 0 and self.text(i) not in (";", "{", "}"):
            if self.text(i) in CLOSE and i in self.match:
                i = self.match[i]
                # A list of parameters, not those of an attribute, and no expression in a template's arguments.
                if self.text(i) == "(" and self.text(i - 1) not in ATTRIBUTES | {"<", ",", "="}:
                    words.append("(")
            else:
                words.append(self.text(i))
            i -= 1
        if "namespace" in words or (len(words) <= 2 and "extern" in words):
            return "namespace"
        # A template's parameters may contain `class T = int`; a function has parentheses.
        is_class = any(word in words for word in ("struct", "class", "union", "enum"))
        return "class" if is_class and "(" not in words else "code"

    def in_code(self, i):
        """Returns whether a word is in a function."""
        brace = self.scope[i]
        while brace is not None and self.opens[brace] != "code":
            brace = self.scope[brace]
        return brace is not None

    def in_class(self, i):
        return self.scope[i] is not None and self.opens[self.scope[i]] == "class"

    def angle_back(self, i):
        """Returns the < that the > at i closes; None if there is none."""
        return self.other_angle(i, -1, CLOSE, (";", "{"))

    def angle_forward(self, i):
        """Returns the > that closes the < at i; None if there is none."""
        return self.other_angle(i, 1, OPEN, (";", "{", "}", ")", "]"))

    def other_angle(self, i, step, skipped, ends):
        depth, own = 0, self.text(i)
        while 0 <= i < len(self.words) and self.text(i) not in ends:
            if self.text(i) in skipped and i in self.match:
                i = self.match[i]
            elif self.text(i) in ("<", ">"):
                depth += 1 if self.text(i) == own else -1
                if depth == 0:
                    return i
            i += step
        return None

    def declaration(self, i):
        """Returns the first word of a variable's declaration, and the place of its semicolon; i is one of its words."""
        first = i
        while first > 0 and self.text(first - 1) not in (";", "{", "}", ":"):
            first -= 1
            if self.text(first) in CLOSE and first in self.match:
                first = self.match[first]
        last = i
        while last < len(self.words) and self.text(last) != ";":
            last = self.after(last)
        return first, last

    def arguments(self, opening):
        """Yields (first, end) of each argument of the call whose bracket opens there."""
        first = i = opening + 1
        while i <= self.match[opening]:
            if self.text(i) == "," or i == self.match[opening]:
                yield first, i
                first = i + 1
            i = self.after(i)

    def headers(self):
        """Returns the text of the system's and the executor's headers."""
        return "".join(token.text for token in self.all if token.kind == "marker")

    def raw(self, first, end):
        """Returns the text from one word up to another, on one line, without additions of the translation."""
        if first >= end:
            return ""
        a, b = self.place_in_all(first), self.place_in_all(end - 1)
        return "".join(" " if token.kind in ("space", "marker") else token.text for token in self.all[a:b + 1])

    def place_in_all(self, i):
        if not hasattr(self, "places"):
            self.places = {id(token): place for place, token in enumerate(self.all)}
        return self.places[id(self.words[i])]

    def place(self, i):
        """Returns the file and line of a word."""
        file, line = "", 1
        for token in self.all[:self.place_in_all(i)]:
            text = token.text
            if token.kind == "marker":
                for found in MARKER.finditer(text):
                    file, line = found[2], int(found[1]) - 1  # the marker's own line
                    text = token.text[found.end():]
            line += text.count("\n")
        return file, line

    def refuse(self, i, reason):
        self.refuse_all([(i, reason)])

    def refuse_all(self, reasons):
        """Refuses several words, with a line for each: [(word, reason)]."""
        places = [(*self.place(i), reason) for i, reason in reasons]
        raise NotTranslated("\n".join(f"{file}:{line}: error: {reason}" for file, line, reason in places))
