"""What doxygen reads of a step's file: filter.py FILE.

Every step defines forcesKernel() and computeForces() anew, for each is a program of its own. Doxygen sees one program
and would merge them; so each step's are shown in a namespace named after its folder, and those of its tuned kernel in another. No line moves.
"""

import re
import sys
from pathlib import Path

path = Path(sys.argv[1])
step = next("step_" + part[:2] for part in path.parts if re.match(r"\d\d_", part))  # of its subfolders too
if path.stem == "tuned":
    step += "_tuned"
text = path.read_text()
text = text.replace("namespace nbody {", f"namespace nbody {{ namespace {step} {{")
print(text.replace("}  // namespace nbody", "}}  // namespace nbody"), end="")
