"""Moves variables to the executor's sections in assembler text. Usually an attribute does this, but g++ ignores it on
variables of templates, and ASan does not watch variables that have it.
"""

import re

# Section of one variable, in quotation marks if its symbol has letters of clang's closures.
SECTION = re.compile(r'^(\s*\.section\s+)"?\.(?:bss|data(?:\.rel(?:\.ro)?(?:\.local)?)?)\.([\w$.]+)"?'
                     r'(,"\w+",[@%])(?:no|prog)bits', re.M)


def symbols_of(section, name):
    """Returns a pattern of the symbols that a variable can have. A template's variable has many."""
    mangled = f"{len(name)}{name}"
    if section == "nbody_shared":  # most belong to a function, and several functions may have this name
        return rf"_Z(?:Z[\w$]*E|L|N\w*?){mangled}(?:_\w*|E)?"
    return rf"_ZL?(?:N\w*?)?{mangled}(?:I\w*)?E?|{name}"


def moved(assembly, variables):
    """Returns the assembler's text, with {(section, name)} of variables in these sections."""
    patterns = [(section, re.compile(symbols_of(section, name))) for section, name in variables]

    def placed(match):
        begin, symbol, flags = match.groups()
        section = next((section for section, pattern in patterns if pattern.fullmatch(symbol)), None)
        return f"{begin}{section}{flags}progbits" if section else match[0]

    return SECTION.sub(placed, assembly)
