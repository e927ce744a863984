"""Launches: `k<T><<<grid, block, bytes, stream>>>(arguments)` becomes a C++ expression.

    (::nbody::executor::Configure(grid, block, bytes, stream).at(), k<T>(arguments))
"""

# After these words a name begins an expression.
STATEMENT_WORDS = {"return", "else", "do", "case", "co_return", "throw", "goto"}
CONTROL = {"if", "for", "while", "switch", "catch"}


def is_open(source, i):
    """Returns whether a launch's configuration opens at i: three <, which are one word for the lexer."""
    return source.text(i).startswith("<<") and source.text(i).endswith("<") and source.text(i).count("<") == 3


def configuration_end(source, i):
    """Returns the first > of the >>> that ends the configuration opened at i, or None. Three templates may also end with >>>,
    so a >>> is preferred before which each < has its >.
    """
    first_found, angles, i = None, 0, i + 1
    while i < len(source.words) and source.text(i) not in (";", "}", ")", "]") and not is_open(source, i):
        if [source.text(i + k) for k in range(4)] == [">", ">", ">", "("]:
            if angles == 0:
                return i
            first_found = first_found or i
        angles += {"<": 1, ">": -1}.get(source.text(i), 0)
        i = source.after(i)
    return first_found


def is_applied(source, bracket):
    """Returns whether the bracket that opens here calls or indexes something: "f(", "table[", not "if (x) (*f)"."""
    before = bracket - 1
    if source.text(before) in (")", "]", ">"):
        opening = source.match.get(before, source.angle_back(before) if source.text(before) == ">" else None)
        return opening is not None and source.text(opening - 1) not in CONTROL
    return source.is_name(before) and source.text(before) not in STATEMENT_WORDS | CONTROL


def kernel_start(source, i):
    """Returns the first word of the expression that names the kernel and ends with word i."""
    while True:
        if source.text(i) == ">" and source.angle_back(i) is not None:
            i = source.angle_back(i) - 1
        elif source.text(i) in (")", "]") and is_applied(source, source.match[i]):
            i = source.match[i] - 1
        else:
            i = source.match[i] if source.text(i) in (")", "]") else i
            if source.text(i - 1) == "template":
                i -= 1
            joint = source.text(i - 1)
            if joint not in ("::", ".", "->"):
                return i
            if not is_applied(source, i - 1):  # "if (x) ::k"
                return i - 1
            i -= 2


def marker(place):
    return f'\n# {place[1]} "{place[0]}"\n'


def moved(source, first, end, at):
    """Returns a configuration's text at its new place. One over several lines gets its own lines, which keeps line numbers."""
    from_kernel = source.all[source.place_in_all(at):source.place_in_all(end)]
    text = "".join(token.before + token.text + token.after for token in source.all[source.place_in_all(first):
                                                                                   source.place_in_all(end)])
    if not any("\n" in token.text for token in from_kernel):
        return text
    return marker(source.place(first)) + text + marker(source.place(at))


def translate_launches(source):
    """Translates launches from the last to the first, so that one in another's arguments is translated in its place."""
    for i in reversed(range(len(source.words))):
        if not is_open(source, i) or source.text(i - 1) == "operator":
            continue
        end = configuration_end(source, i)
        if end is None or end == i + 1:
            source.refuse(i, "this <<< has no matching >>>(...): a launch is kernel<<<grid, block>>>(arguments)")
        arguments = end + 3
        start = kernel_start(source, i - 1)
        if not (source.is_name(start) or source.text(start) in ("(", "::")):
            source.refuse(i, "there is no kernel before this <<<")
        configuration = moved(source, i + 1, end, start)
        source.blank(i, arguments)
        source.words[start].before = (f"(::nbody::executor::Configure({configuration}).at(), "
                                      + source.words[start].before)
        source.words[source.match[arguments]].after += ")"
