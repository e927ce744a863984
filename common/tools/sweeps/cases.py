"""Sweeps that pages show as tables: the programs and options of all their runs."""

import itertools

from common.tools.programs import flags, step_program

MILLION = 2**20
SCENES = ("plummer", "cube", "collision", "merger", "galaxy", "collapse", "shell")


def pairs():
    """Returns runs of step 05: with any masses and with equal masses against N, and with every map."""
    sizes = (4096, 8192, 16384, 65536, 262144, MILLION)
    return [*(("05", {"bodies": bodies, "equal_masses": masses}) for bodies in sizes for masses in ("used", "ignored")),
            *(("05", {"bodies": 262144, "equal_masses": "ignored", "map": name}) for name in ("box", "rectangle", "recursive"))]


def cuts():
    """Returns runs of step 04 with each sum in 32 pieces, q lanes times c blocks, and with two unroll factors."""
    fixed = {"bodies": 4096, "bodies_per_thread": 2, "block": 128, "repeats": 30}
    return [("04", {**fixed, "threads_per_body": lanes, "blocks_per_body": 32 // lanes, "unroll": unroll})
            for unroll, lanes in itertools.product((16, 4), (1, 2, 4, 8, 16, 32))]


def walks():
    """Returns runs of step 06's two walks at nearly the same error."""
    fused, lists = {"theta": 0.49, "leaf": 32}, {"theta": 0.45, "leaf": 64, "group": 64}
    return [("06", fused), ("06", {**fused, "leaf": 64}), ("06", {**fused, "multipole": "monopole"}),
            ("06_lists", {**lists, "grouping": "cells"}), ("06_lists", {**lists, "grouping": "runs"})]


def openings():
    """Returns runs of 07_tuned with both opening rules, in every scene."""
    rules = (("distance", 0.5), ("relative", 0.5), ("relative", 0.6))
    return [("07_tuned", {"scene": scene, "opening": rule, "theta": theta, "repeats": 5})
            for scene, (rule, theta) in itertools.product(SCENES, rules)]


def motion():
    """Returns runs of the two programs whose forces depend on the accelerations of the step before, over 100 time steps."""
    return [(name, {"scene": scene, "bodies": bodies, "steps": 100, "repeats": 5})
            for name, scene, bodies in itertools.product(("07_tuned", "10_tuned"), SCENES, (65536, MILLION))]


def plain_multipole():
    """Returns runs of step 10's two programs and of step 07's, against N and against the angle."""
    four = ("10_fast_multipole", "07_device_tree", "07_tuned", "10_tuned")
    return [*((name, {"bodies": bodies}) for bodies in (MILLION, 65536, 262144, 2**24) for name in four),
            *((name, {"scene": "cube"}) for name in four), ("10_fast_multipole", {"theta": 0.55})]


def plain_errors():
    """Returns runs of step 10's plain program with every order and three angles."""
    return [("10_fast_multipole", {"scene": "cube", "bodies": 65536, "order": order, "theta": theta, "leaf": 32})
            for order in (2, 3, 4, 5) for theta in (0.8, 0.6, 0.4)]


# Name of the record: what it shows, and its runs. A million bodies of a Plummer sphere, without time steps, unless they say other.
CASES = {
    "pairs": ("Step 05 with any masses and with equal ones, and with every map", pairs),
    "cuts": ("Step 04 with 32 pieces of each sum, as lanes and as blocks", cuts),
    "tree_walks": ("Step 06's two walks", walks),
    "opening_step": ("The opening rules of 07_tuned in every scene", openings),
    "motion": ("Errors of 07_tuned and 10_tuned after 100 time steps", motion),
    "plain_multipole": ("Step 10's two programs next to step 07's", plain_multipole),
    "plain_errors": ("Errors of step 10's plain program", plain_errors),
}


def points(name, options):
    """Returns (program, arguments) of every run."""
    given = {"scene": options.scene, "bodies": MILLION, "steps": 0, "repeats": options.repeats or 9}
    return [(step_program(options.build, program), flags(**{**given, **own})) for program, own in CASES[name][1]()]
