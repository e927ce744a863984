"""Whether the forces of a submission are the work of its kernels. Of a step's the submission's process says so
(judge/own_work.cpp); of a whole program it is read from what judge/kernels_read.cpp prints.
"""

import bisect
import math
import re
from array import array

# Complaints of own_work.cpp begin with one of these, too.
NOT_OWN = "the forces are not the work of a kernel: "
NOT_PARALLEL = "the kernel is not parallel: "
ONE_THREAD = f"{NOT_PARALLEL}one thread does "
LEAST_THREADS = 8  # that share the work alike
FEWEST = 500  # bodies for which that is asked
PRECISION = 2e-5  # of a printed number, relative: %g has six digits
LEAST_FOUND = 0.9  # of the printed numbers among those that kernels wrote


def problem(out, nonce, bodies, printed):
    """What is wrong with how a program came by the accelerations that it printed, by its output; None where nothing is.
    printed: their components
    """
    times = re.findall(rf"^{nonce}: the longest thread took (\d+) of (\d+) ns$", out, re.MULTILINE)
    longest, all_of_them = map(int, times[-1]) if times else (1, 1)
    if bodies >= FEWEST and LEAST_THREADS * longest > all_of_them:
        return (f"{ONE_THREAD}{100 * longest / max(all_of_them, 1):.0f}% of the work. Share the sum over all bodies among "
                "the threads.")
    words = re.findall(rf"^{nonce}: kernels wrote ([0-9a-f]*)$", out, re.MULTILINE)
    written = numbers(words[-1]) if words else []
    told = [number for number in printed if number and math.isfinite(number)]
    found = sum(has(written, number) for number in told)
    if bodies > 1 and found < LEAST_FOUND * len(told):
        return f"{NOT_OWN}no kernel wrote {len(told) - found} of the {len(told)} numbers that the program printed"
    return None


def numbers(words):
    """All that the words can mean, in order: floats, and doubles at every second word."""
    values = array("I", (int(words[k:k + 8], 16) for k in range(0, len(words) - 7, 8)))
    raw = values.tobytes()
    found = list(array("f", raw))
    for skipped in (0, 4):
        whole = (len(raw) - skipped) // 8 * 8
        found += array("d", raw[skipped:skipped + whole])
    return sorted(number for number in found if math.isfinite(number))


def has(written, number):
    """Whether the sorted list has the number, as closely as it is printed."""
    off = PRECISION * abs(number)
    place = bisect.bisect_left(written, number - off)
    return place < len(written) and written[place] <= number + off
