"""Sweeps that pages show as tables: the programs and options of all their runs."""

import itertools

from common.tools.programs import flags, step_program

MILLION = 2**20
SCENES = ("plummer", "cube", "collision", "merger", "galaxy", "collapse", "shell")
CUT = {"bodies": 4096, "bodies_per_thread": 2, "block": 128, "repeats": 30}
FUSED, LISTS = {"theta": 0.49, "leaf": 32}, {"theta": 0.45, "leaf": 64, "group": 64}  # nearly the same error
RULES = (("distance", 0.5), ("relative", 0.5), ("relative", 0.6))
FOUR = ("10_fast_multipole", "07_device_tree", "07_tuned", "10_tuned")

# Name of the record: what it shows, and its runs. A million bodies of a Plummer sphere, without time steps, unless they say other.
CASES = {
    "pairs": ("Step 05 with any masses and with equal ones, and with every map", [
        *(("05", {"bodies": bodies, "equal_masses": masses})
          for bodies in (4096, 8192, 16384, 65536, 262144, MILLION) for masses in ("used", "ignored")),
        *(("05", {"bodies": 262144, "equal_masses": "ignored", "map": name}) for name in ("box", "rectangle", "recursive"))]),
    "cuts": ("Step 04 with 32 pieces of each sum, as lanes and as blocks", [
        ("04", {**CUT, "threads_per_body": lanes, "blocks_per_body": 32 // lanes, "unroll": unroll})
        for unroll, lanes in itertools.product((16, 4), (1, 2, 4, 8, 16, 32))]),
    "tree_walks": ("Step 06's two walks", [
        ("06", FUSED), ("06", {**FUSED, "leaf": 64}), ("06", {**FUSED, "multipole": "monopole"}),
        ("06_lists", {**LISTS, "grouping": "cells"}), ("06_lists", {**LISTS, "grouping": "runs"})]),
    "opening_step": ("The opening rules of 07_tuned in every scene", [
        ("07_tuned", {"scene": scene, "opening": rule, "theta": theta, "repeats": 5})
        for scene, (rule, theta) in itertools.product(SCENES, RULES)]),
    # The forces of these two depend on the accelerations of the step before.
    "motion": ("Errors of 07_tuned and 10_tuned after 100 time steps", [
        (name, {"scene": scene, "bodies": bodies, "steps": 100, "repeats": 5})
        for name, scene, bodies in itertools.product(("07_tuned", "10_tuned"), SCENES, (65536, MILLION))]),
    "plain_multipole": ("Step 10's two programs next to step 07's", [
        *((name, {"bodies": bodies}) for bodies in (MILLION, 65536, 262144, 2**24) for name in FOUR),
        *((name, {"scene": "cube"}) for name in FOUR), ("10_fast_multipole", {"theta": 0.55})]),
    "plain_errors": ("Errors of step 10's plain program", [
        ("10_fast_multipole", {"scene": "cube", "bodies": 65536, "order": order, "theta": theta, "leaf": 32})
        for order in (2, 3, 4, 5) for theta in (0.8, 0.6, 0.4)]),
}


def points(name, options):
    """Returns (program, arguments) of every run."""
    given = {"scene": options.scene, "bodies": MILLION, "steps": 0, "repeats": options.repeats or 9}
    return [(step_program(options.build, program), flags(**{**given, **own})) for program, own in CASES[name][1]]
