"""The disk of the scene galaxy, ring by ring: surface density and rotation."""

import array
import math
import statistics
import struct
import sys

EDGES = [0.25 * k for k in range(25)]  # of the rings, in scale lengths of the disk


def read_disk(file):
    """(time, N, bodies of the disk as (mass, x, y, z, vx, vy, vz)) of a snapshot in tipsy's little-endian binary, as
    the programs write it: a header of 32 bytes, then 36 a body. The disk comes after the bulge, each a sixth of N."""
    with file.open("rb") as snapshot:
        time, count = struct.unpack("<di20x", snapshot.read(32))
        each = count // 6
        snapshot.seek(32 + 36 * each)
        words = array.array("f", snapshot.read(36 * each))
    if sys.byteorder == "big":
        words.byteswap()
    return time, count, [words[9 * i:9 * i + 7] for i in range(each)]


def centred(bodies):
    """Position and velocity of each body about their centre of mass."""
    shift = [statistics.fmean(body[k] for body in bodies) for k in range(1, 7)]
    return [[body[k + 1] - shift[k] for k in range(6)] for body in bodies]


def ring_of(bodies, mass, inner, outer):
    """Figures of one ring; bodies as (R, speed outwards, along, up, z), each of that mass."""
    count = len(bodies)
    ring = {"inner": inner, "outer": outer, "bodies": count,
            "surface_density": count * mass / (math.pi * (outer**2 - inner**2))}
    if count < 2:
        return ring  # nothing to average
    columns = list(zip(*bodies))[1:]
    ring["rotation"] = statistics.fmean(columns[1])
    spreads = map(statistics.pstdev, columns)
    return {**ring, **dict(zip(("sigma_radial", "sigma_azimuthal", "sigma_vertical", "height"), spreads))}


def rings(bodies):
    """One entry for each ring."""
    around = []
    for x, y, z, vx, vy, vz in centred(bodies):
        radius = math.hypot(x, y) or math.ulp(0.0)
        around.append((radius, (x * vx + y * vy) / radius, (x * vy - y * vx) / radius, vz, z))
    return [ring_of([body for body in around if inner <= body[0] < outer], bodies[0][0], inner, outer)
            for inner, outer in zip(EDGES, EDGES[1:])]


def change(before, after):
    """How much a ring's figures changed, as shares, and by how much chance alone would: its one deviation, where both
    rings hold as many bodies as the first."""
    if min(before["bodies"], after["bodies"]) < 2:
        return None
    chance = math.sqrt(2 / before["bodies"])
    return {"surface_density": after["surface_density"] / before["surface_density"] - 1,
            "rotation": after["rotation"] / before["rotation"] - 1,
            "surface_density_chance": chance,
            "rotation_chance": chance * before["sigma_azimuthal"] / abs(before["rotation"])}
