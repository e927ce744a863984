"""Moves variables to the executor's sections in assembler text. Usually an attribute does this, but g++ ignores it on
variables of templates.
"""

import re

SECTION = re.compile(r'^(\s*\.section\s+)\.(?:bss|data(?:\.rel(?:\.ro)?(?:\.local)?)?)\.([\w$.]+)'
                     r'(,"\w+",[@%])(?:no|prog)bits', re.M)


def symbols_of(name):
    """Returns a pattern of the symbols that a variable can have. A template's variable has many."""
    return rf"_ZL?(?:N\w*?)?{len(name)}{name}(?:I\w*)?E?|{name}"


def moved(assembly, variables):
    """Returns the assembler's text, with {(section, name)} of variables in these sections."""
    patterns = [(section, re.compile(symbols_of(name))) for section, name in variables]

    def placed(match):
        begin, symbol, flags = match.groups()
        section = next((section for section, pattern in patterns if pattern.fullmatch(symbol)), None)
        return f"{begin}{section}{flags}progbits" if section else match[0]

    return SECTION.sub(placed, assembly)
