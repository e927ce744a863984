"""Marks of places, with which the executor knows the lanes that are together: those that a GPU runs in lockstep.

    if (x) f(); else f();     becomes  if (x) { at(1); f(); } else { at(2); f(); }
    while (p && f()) BODY     becomes  while (at(3), p && at(4) && f()) { next(5); BODY }

__activemask() and coalesced_threads() return the lanes with the same place: the same statement and the same iterations of its
loops, in each function from the kernel to the call. Only functions from which a call reaches one of the two get marks. Places
have numbers in the order of the program, so the lanes behind run first until all meet again after a branch or a loop.
"""

from dataclasses import dataclass

from common.executor.translate.kernels import parameters_of
from common.executor.translate.launches import CONTROL, STATEMENT_WORDS

BEGINNINGS = {"__activemask", "coalesced_threads"}
X = "::nbody::executor::"


@dataclass
class Body:
    """A function's or a lambda's."""
    first: int  # its braces
    last: int
    name: str  # "" if a call cannot show it
    parameters: set
    words: set  # before the name
    variables: set = None


@dataclass
class Loop:
    first: int
    last: int
    begin: int  # first word of what is repeated
    parenthesis: int = None
    kind: str = ""

    def number(self):
        return 4 * self.first + 1

    def parts(self, source):
        """Returns the first words of condition and increment."""
        if self.kind != "for":
            return [self.parenthesis + 1] if self.parenthesis else []
        parts = [i for i in range(self.parenthesis, source.match[self.parenthesis])
                 if source.text(i) == ";" and parent_is(source, i, self.parenthesis)]
        return [i + 1 for i in parts]


def parent_is(source, i, bracket):
    """Returns whether the bracket that opens there is the innermost around word i."""
    k = bracket + 1
    while k < i:
        k = source.after(k)
    return k == i


def names_of_parameters(source, parenthesis):
    return {source.text(end - 1) for _, end in source.arguments(parenthesis)}


def lambda_body(source, i):
    """Returns (parenthesis of the parameters or None, brace) of the lambda whose [ is at i; None if it is another bracket."""
    before = source.text(i - 1)
    applied = (source.is_name(i - 1) and before not in STATEMENT_WORDS) or before in (")", "]", "[")
    if applied or source.text(i) != "[" or source.text(i + 1) == "[" or i not in source.match:
        return None
    k, parenthesis = source.match[i] + 1, None
    while source.text(k) not in ("{", ";", ")", ",", "=", ""):
        if source.text(k) == "(" and k in source.match:
            parenthesis = k if parenthesis is None else parenthesis
            k = source.match[k]
        k += 1
    return (parenthesis, k) if source.text(k) == "{" and k in source.match else None


def bodies_of(source):
    """Returns {opening brace: Body}."""
    found = {}
    for i, word in enumerate(source.words):
        if word.text == "[" and (opened := lambda_body(source, i)):
            parenthesis, brace = opened
            name = source.text(i - 2) if source.text(i - 1) == "=" else ""
            parameters = names_of_parameters(source, parenthesis) if parenthesis else set()
            found[brace] = Body(brace, source.match[brace], name, parameters, {"lambda"})
        if word.text != "{" or i not in source.match or source.opens[i] != "code" or source.scope[i] is not None \
                and source.opens[source.scope[i]] == "code":
            continue
        first, _ = source.declaration(i)
        parenthesis = parameters_of(source, first)
        if parenthesis is None or parenthesis >= i or parenthesis not in source.match:
            continue
        name = parenthesis - 1
        if source.text(name) == ">" and source.angle_back(name):
            name = source.angle_back(name) - 1
        found[i] = Body(i, source.match[i], source.text(name), names_of_parameters(source, parenthesis),
                        {source.text(k) for k in range(first, parenthesis)})
    return found


class Places:
    def __init__(self, source):
        self.source = source
        self.bodies = bodies_of(source)
        self.around = self.innermost_brackets()
        self.calls = self.find_calls()
        self.loops = {}  # of each body
        self.marked = set()

    def innermost_brackets(self):
        around, open_brackets = [], []
        for i in range(len(self.source.words)):
            if self.source.text(i) in (")", "]", "}") and i in self.source.match and open_brackets:
                open_brackets.pop()
            around.append(open_brackets[-1] if open_brackets else None)
            if self.source.text(i) in ("(", "[", "{") and i in self.source.match and self.source.words[i].kind == "op":
                open_brackets.append(i)
        return around

    def body_around(self, i):
        while (i := self.source.scope[i]) is not None:
            if i in self.bodies:
                return self.bodies[i]
        return None

    def is_called(self, i):
        """Returns whether word i is called, and not launched: f(), f<T>(), but not f<T><<<1, 1>>>()."""
        angle = self.source.angle_forward(i + 1) if self.source.text(i + 1) == "<" else i
        return angle is not None and self.source.text(angle + 1) == "("

    def find_calls(self):
        """Returns the places of all calls that may reach a beginning."""
        source, names, found = self.source, set(BEGINNINGS), set()
        while True:
            before = len(names), len(found)
            functors = "operator" in names or "" in names
            for i, word in enumerate(source.words):
                is_call = word.kind == "name" and word.text in names and self.is_called(i)
                is_assembly = word.kind == "string" and "activemask" in word.text
                body = self.body_around(i) if is_call or is_assembly or functors else None
                if body and functors and source.text(i + 1) == "(":
                    is_call = is_call or word.text in self.variables_of(body)
                if body and (is_call or is_assembly) and not body.words & {"constexpr", "consteval"}:
                    found.add(i)
                    while body:
                        names |= {body.name, ""} if "lambda" in body.words else {body.name}
                        outer = self.body_around(body.first)
                        if outer and "lambda" in body.words:
                            found.add(body.first)  # whoever gets the lambda may call it
                        body = outer
            if (len(names), len(found)) == before:
                return sorted(found)

    def variables_of(self, body):
        """Returns names of what the body may call although it is no function: its parameters and variables."""
        if body.variables is None:
            source = self.source
            declared = {source.text(k) for k in range(body.first + 1, body.last) if source.is_name(k)
                        and (source.text(k - 1) == ">" or source.is_name(k - 1) and source.text(k - 1) not in STATEMENT_WORDS)}
            outer = self.body_around(body.first)
            body.variables = body.parameters | declared | (self.variables_of(outer) if outer else set())
        return body.variables

    # --- Statements and loops.

    def end_of_statement(self, i):
        """Returns the last word of the statement that begins at i."""
        source, text = self.source, self.source.text(i)
        if text == "{" and i in source.match:
            return source.match[i]
        if text == "do":
            i = self.end_of_statement(i + 1) + 1
        elif text in CONTROL:
            opening = i + 1 if source.text(i + 1) == "(" else i + 2  # if constexpr
            last = self.end_of_statement(source.match[opening] + 1)
            return self.end_of_statement(last + 2) if text == "if" and source.text(last + 1) == "else" else last
        while i < len(source.words) and source.text(i) not in (";", "}"):
            i = source.after(i)
        return i

    def loops_of(self, body):
        """Returns the loops of a body, the outer ones first, also those that a goto makes."""
        if body.first not in self.loops:
            source, found, labels, ends = self.source, [], {}, set()
            for i in range(body.first + 1, body.last):
                text = source.text(i)
                if text in ("do", "for", "while", "goto") or source.text(i + 1) == ":":
                    if self.body_around(i) is not body or i in ends:
                        continue
                if text == "do":
                    ends.add(end := self.end_of_statement(i + 1) + 1)
                    if source.text(end) == "while" and end + 1 in source.match:
                        found.append(Loop(i, source.match[end + 1], i + 1, end + 1, "do"))
                elif text in ("for", "while") and i + 1 in source.match:
                    begin = source.match[i + 1] + 1
                    found.append(Loop(i, self.end_of_statement(i), begin, i + 1, text))
                elif text == "goto" and source.text(i + 1) in labels:
                    label = labels[source.text(i + 1)]
                    found.append(Loop(label, i + 1, label + 2))
                elif source.is_name(i) and source.text(i + 1) == ":" and source.text(i - 1) in (";", "{", "}", ":"):
                    labels[text] = i
            self.loops[body.first] = sorted(found, key=lambda loop: (loop.first, -loop.last))
        return self.loops[body.first]

    def is_repeated(self, loop, i):
        """Returns whether the loop repeats word i, not only the part before its first condition."""
        if not loop.first <= i <= loop.last:
            return False
        parts = loop.parts(self.source) if loop.kind == "for" else None
        return parts is None or i >= loop.begin or bool(parts) and i >= parts[0]

    def loops_around(self, body, i):
        """Returns the loops around word i that get marks."""
        return [loop for loop in self.loops_of(body) if self.is_repeated(loop, i)
                and any(self.is_repeated(loop, call) for call in self.calls)]

    def is_block(self, brace):
        before = self.source.text(brace - 1)
        return brace in self.bodies or before in (")", ";", "{", "}", "else", "do", "try", ":")

    def statement(self, i):
        """Returns (first word of the statement with word i, parenthesis of its header if i is in it)."""
        source, header = self.source, None
        while (bracket := self.around[i]) is not None and not (source.text(bracket) == "{" and self.is_block(bracket)):
            i = bracket
            keyword = i - 2 if source.text(i - 1) == "constexpr" else i - 1
            if source.text(i) == "(" and source.text(keyword) in CONTROL:
                header, i = i, keyword
        colons, first = 0, i
        after_colon = None
        while True:
            before = source.text(i - 1)
            if before in (";", "{", "else", "do") or i - 1 == bracket:
                break
            if before in (")", "]", "}") and i - 1 in source.match:
                opening = source.match[i - 1]
                keyword = opening - 2 if source.text(opening - 1) == "constexpr" else opening - 1
                is_lambda = opening in self.bodies and "lambda" in self.bodies[opening].words
                if before == "}" and self.is_block(opening) and not is_lambda:
                    break
                if before == ")" and source.text(keyword) in CONTROL:
                    break
                i = opening
                continue
            i -= 1
            if before == "?" and colons:
                colons -= 1
                after_colon = after_colon if colons else None
            elif before == ":":
                colons += 1
                after_colon = after_colon or i + 1
        first = after_colon or i
        return first, header

    # --- Marks.

    def mark(self, number, body, i):
        around = self.loops_around(body, i)
        return f"{X}atPlace({number}u, {len(around)}u, {around[-1].number() if around else 0}u)"

    def mark_call(self, i):
        source, body = self.source, self.body_around(i)
        first, header = self.statement(i)
        start, number = first, 4 * first
        loop = next((loop for loop in self.loops_of(body) if header is not None and loop.parenthesis == header), None)
        part = max((begin for begin in loop.parts(source) if begin <= i), default=None) if loop else None
        if part is not None:
            start = part
            is_increment = loop.kind == "for" and part != loop.parts(source)[0]
            number = 4 * loop.last + (2 if is_increment else 3)
            is_declaration = source.text(part) == "auto" or source.is_name(part) and source.is_name(part + 1)
            if not is_declaration and part not in self.marked:
                source.words[part].before = f"(void){self.mark(number, body, i)}, " + source.words[part].before
                self.marked.add(part)
        elif first not in self.marked:
            self.marked.add(first)
            text = self.mark(number, body, first)
            is_sub = source.text(first - 1) in (")", "else", "do")
            source.words[first].before = (f"if (!{text}) {{}} else " if is_sub else f"{text}; ") + source.words[first].before
        self.mark_operators(start, i, body)

    def mark_operators(self, start, i, body):
        """Marks operands that only some lanes may compute."""
        source, brackets, k = self.source, {self.around[i]}, i
        while (k := self.around[k]) is not None and k > body.first:
            brackets.add(self.around[k])
        for q in range(start, i):
            text = source.text(q)
            if text not in ("?", "&&", "||") or q in self.marked or self.around[q] not in brackets:
                continue
            if text == "&&" and source.text(q - 1) in ("auto", ">", "const"):
                continue  # a reference
            if text == "?" and (source.text(q + 1) == ":" or self.second_operand(q) < i):
                continue
            self.marked.add(q)
            mark = self.mark(4 * q, body, i)
            source.words[q].after += {"?": f" (void){mark},", "&&": f" {mark} &&", "||": f" !{mark} ||"}[text]

    def second_operand(self, question):
        depth, k = 0, question
        while k < len(self.source.words) and self.source.text(k) not in (";", ")", "]", "}"):
            depth += {"?": 1, ":": -1}.get(self.source.text(k), 0)
            if depth == 0:
                return k
            k = self.source.after(k)
        return k

    def mark_loops(self, body):
        source = self.source
        for loop in self.loops_of(body):
            if not any(self.is_repeated(loop, call) for call in self.calls):
                continue
            outer = sum(other is not loop for other in self.loops_around(body, loop.begin) if other.first < loop.first)
            text = f"{X}nextIteration({loop.number()}u, {outer}u)"
            if loop.kind == "":
                source.words[loop.begin - 1].after += f" {text};"
            elif source.text(loop.begin) == "{":
                source.words[loop.begin].after = f" {text};" + source.words[loop.begin].after
            else:
                source.words[loop.begin].before = f"if (!{text}) {{}} else " + source.words[loop.begin].before

    def mark_all(self):
        marked = {}
        for i in self.calls:
            self.mark_call(i)
            body = self.body_around(i)
            marked[body.first] = body
        for body in marked.values():
            self.mark_loops(body)
            if "__global__" not in body.words:
                source_word = self.source.words[body.first]
                source_word.after = f" const {X}CallOf nbodyCall({4 * body.first}u);" + source_word.after


def translate_places(source):
    """Returns the places, for other parts of the translation."""
    places = Places(source)
    places.mark_all()
    return places
