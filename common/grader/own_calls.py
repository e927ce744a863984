"""What a submission's object may call: CUDA, the mathematics, and of the system what ISO C and C++ have without files and
threads. All else of the system's is a way to the device's memory, to what the checker knows or to the judge: a force has
use for none of it.
"""

import re
import subprocess

from common.grader.own_definitions import library_functions, listing_of

SYMBOL = re.compile(r"^(?:[0-9a-f]+)? *([A-Za-z]) (\S+)$", re.MULTILINE)
# Of the C library's, with the names that its headers and the compiler give them.
PLAIN = re.compile(r"(?:__)?(?:mem\w+|str\w+|stp\w+|wcs\w+|wmem\w+|is[a-z]+|to(?:upper|lower)|malloc|calloc|realloc|free"
                   r"|aligned_alloc|posix_memalign|l*abs|l*div|ato[a-z]+|qsort|bsearch|s?rand(?:_r)?|s?random|exit|_Exit"
                   r"|abort|atexit|getenv|v?f?printf|v?sn?printf|v?sscanf|puts|fputs|fputc|putc|putchar|fwrite|fflush"
                   r"|perror|time|clock|difftime|clock_gettime|gettimeofday|nanosleep|usleep|sched_yield|sysconf"
                   r"|get_nprocs|pthread_(?:mutex|once|key|self|getspecific|setspecific|cond)\w*)"
                   r"|_{2,}(?:isoc\d\d_\w+|errno_location|ctype_\w+|assert_fail|stack_chk_fail|libc_single_threaded"
                   r"|cxa_\w+|libc_start_main|fpclassify\w*|signbit\w*|finite\w*|isnan\w*|isinf\w*|tls_get_addr)"
                   r"|std(?:out|err)|_IO_\w+|(?:copysign|frexp|ldexp|modf|scalbl?n|finite|isnan|isinf)[fl]?")
# Of C++'s library: files and threads.
OPEN = re.compile(r"_ZNK?St(?:13basic_filebuf|14basic_[io]fstream|13basic_fstream|10filesystem|6thread|12__basic_file)"
                  r"|_ZNSt14basic_[io]fstream|_ZT[VTIS]+(?:13basic_filebuf|14basic_[io]fstream|13basic_fstream)"
                  r"|_ZN?S?t?.*10filesystem")
# Of the suite: what knows and what judges.
INSIDE = re.compile(r"_Z(?:T[VTIS]|GV)?NK?5nbody(?:8executor(?:7checker(?!21describeDynamicShared)|15runtimeSettings"
                    r"|7runtime(?:6Region|6obtain|8giveBack|11closeMemory|7aliasOf)|7optionsE|14BlockScheduler|7runGrid"
                    r"|14runCooperative)|12PipeProtocol|7OwnWork)")


def foreign_call(symbols, own, compiler):
    """The name, as people write it, of what an object may not call; None where it has none. symbols: of the object, as nm
    prints them; own: an object that may call what it does, or None
    """
    system = library_functions(compiler, ("libc.so.6",))
    known = {name for _, name in SYMBOL.findall(listing_of([own], "nm"))} if own else ()
    for kind, name in SYMBOL.findall(symbols):
        plain = name.partition("@")[0]
        if name in known:
            continue
        if INSIDE.match(plain) or kind in "Uw" and (OPEN.match(plain) or plain in system and not PLAIN.fullmatch(plain)):
            return demangled(plain)
    return None


def demangled(name):
    """As people write it, without what it takes and what templates are made of."""
    text = subprocess.run(["c++filt", name], capture_output=True, text=True, errors="replace").stdout.strip()
    shorter = None
    while shorter != text:
        shorter, text = text, re.sub(r"<[^<>()]*>|\[abi:\w+\]|\([^()]*\)(?: const)?$", "", text)
    return f"{text}()"
