"""Translates CUDA C++ for the CPU executor, after the preprocessor and before the compiler.

After the preprocessor, headers, #if and macros with launches need no special treatment, and line markers keep every file
and line. Code without a translation raises NotTranslated.
"""

from common.executor.translate.addresses import translate_addresses
from common.executor.translate.assembly import translate_assembly
from common.executor.translate.calls import translate_allocations, translate_discarded, translate_symbol_arguments
from common.executor.translate.foreign_names import refuse_names_of_the_other_side
from common.executor.translate.kernels import translate_kernels
from common.executor.translate.launches import translate_launches
from common.executor.translate.places import translate_places
from common.executor.translate.qualifiers import translate_qualifiers
from common.executor.translate.refusals import refuse_unsupported
from common.executor.translate.sides import refuse_calls_of_the_other_side, refuse_variable_lengths
from common.executor.translate.source import NotTranslated, Source
from common.executor.translate.spaces import translate_spaces
from common.executor.translate.waits import translate_waits

__all__ = ["NotTranslated", "translate"]


def translate(text, whole_program=False, own="", sides=False, unplaced=None):
    """Returns the C++ of a preprocessed .cu file.

    whole_program: as with nvcc's -rdc=true; own: the executor's folder, whose headers need no translation; sides: refuse calls
    between host and device as nvcc does (the suite's own tests make such calls); unplaced: receives {(section, name)} of the
    variables that no attribute can put into their section.
    """
    source = Source(text, own)
    refuse_unsupported(source)
    if sides:
        refuse_calls_of_the_other_side(source)
        refuse_variable_lengths(source)
        refuse_names_of_the_other_side(source)
    translate_waits(source, translate_places(source))
    translate_symbol_arguments(source)
    kernels = translate_kernels(source)
    translate_spaces(source, whole_program, set() if unplaced is None else unplaced)
    translate_launches(source)
    translate_addresses(source, kernels)
    translate_allocations(source)
    translate_assembly(source)
    translate_discarded(source)
    translate_qualifiers(source)
    return str(source)
