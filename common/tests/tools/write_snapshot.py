"""Writes a snapshot file for tests without the suite's writers:

write_snapshot.py FILE [--order big|little] [--header 32|28] [--gas N] [--dark N] [--star N] [--time T]
write_snapshot.py FILE.csv [--dark N]

Body i, counted over all kinds in their order, has x, y, z = i + 1/4, -i, 1 / (i + 1), vx, vy, vz = i / 8, -1/3, 0 and
mass = 1 + i / 2, each rounded to single precision.
"""

import argparse
import struct

EPSILON = 0.05
JUNK = -7.5  # in fields that readers of bodies ignore


def body(i):
    numbers = (i + 0.25, -i, 1 / (i + 1), i / 8, -1 / 3, 0, 1 + i / 2)
    return struct.unpack("<7f", struct.pack("<7f", *numbers))


def tipsy(options):
    order = ">" if options.order == "big" else "<"
    # Numbers that follow the velocity of each body.
    rests = ([(JUNK, JUNK, JUNK, JUNK, JUNK)] * options.gas + [(EPSILON, JUNK)] * options.dark
             + [(JUNK, JUNK, EPSILON, JUNK)] * options.star)
    content = struct.pack(order + "d5i", options.time, len(rests), 3, options.gas, options.dark, options.star)
    content += bytes(options.header - len(content))
    for i, rest in enumerate(rests):
        *place_and_velocity, mass = body(i)
        content += struct.pack(f"{order}{7 + len(rest)}f", mass, *place_and_velocity, *rest)
    return content


def csv(options):
    lines = ["x,y,z,vx,vy,vz,mass"]
    lines += [",".join(repr(float(number)) for number in body(i)) for i in range(options.dark)]
    return ("\n".join(lines) + "\n").encode()


parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("--order", choices=("big", "little"), default="big")
parser.add_argument("--header", type=int, choices=(32, 28), default=32)
for kind in ("gas", "dark", "star"):
    parser.add_argument(f"--{kind}", type=int, default=0)
parser.add_argument("--time", type=float, default=0)
arguments = parser.parse_args()
with open(arguments.file, "wb") as out:
    out.write(csv(arguments) if arguments.file.endswith(".csv") else tipsy(arguments))
