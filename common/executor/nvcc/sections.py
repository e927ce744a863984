"""Moves variables to the executor's sections in the assembler's text. An attribute usually does this, but g++ ignores it on
variables of templates, and ASan does not watch a variable that has it.
"""

import re

# A section of one variable, in quotation marks where its symbol has letters of clang's closures.
SECTION = re.compile(r'^(\s*\.section\s+)"?\.(?:bss|data(?:\.rel(?:\.ro)?(?:\.local)?)?)\.([\w$.]+)"?'
                     r'(,"\w+",[@%])(?:no|prog)bits', re.M)


def symbols_of(section, name):
    """A pattern of the symbols that a variable can have: a template's are many."""
    mangled = f"{len(name)}{name}"
    if section == "nbody_shared":  # most are a function's, and several functions may have this name
        return rf"_Z(?:Z[\w$]*E|L|N\w*?){mangled}(?:_\w*|E)?"
    return rf"_ZL?(?:N\w*?)?{mangled}(?:I\w*)?E?|{name}"


def moved(assembly, variables):
    """The assembler's text, with {(section, name)} of variables in these sections."""
    patterns = [(section, re.compile(symbols_of(section, name))) for section, name in variables]

    def placed(match):
        begin, symbol, flags = match.groups()
        section = next((section for section, pattern in patterns if pattern.fullmatch(symbol)), None)
        return f"{begin}{section}{flags}progbits" if section else match[0]

    return SECTION.sub(placed, assembly)
