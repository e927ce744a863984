"""How many blocks of a kernel a multiprocessor holds, by the rules of allocation.

Source of limits and granularities: cuda_occupancy.h of the CUDA toolkit 13.0 and the table of technical specifications for each
compute capability in NVIDIA's CUDA programming guide. A test compares with that header where a toolkit is installed.
"""

from dataclasses import dataclass

WARP = 32
REGISTERS = 65536        # of a multiprocessor, on all of these
PARTITIONS = 4           # of a multiprocessor, each with a scheduler and a quarter of the registers
REGISTER_UNIT = 256      # in which a warp gets them


@dataclass(frozen=True)
class Limits:
    """Of one multiprocessor."""

    warps: int
    blocks: int
    shared: int         # bytes
    shared_unit: int    # bytes in which a block gets them
    reserved: int       # bytes of shared memory that the system keeps for itself in each block


LIMITS = {
    "7.5": Limits(32, 16, 64 << 10, 256, 0),
    "8.0": Limits(64, 32, 164 << 10, 128, 1024),
    "8.6": Limits(48, 16, 100 << 10, 128, 1024),
    "8.9": Limits(48, 24, 100 << 10, 128, 1024),
    "9.0": Limits(64, 32, 228 << 10, 128, 1024),
    "10.0": Limits(64, 32, 228 << 10, 128, 1024),
    "12.0": Limits(48, 24, 100 << 10, 128, 1024),
}


def rounded_up(value, unit):
    return -(-value // unit) * unit


def blocks(capability, registers, shared, threads):
    """Blocks at once on a multiprocessor; registers of a thread, bytes of shared memory of a block."""
    limits = LIMITS[capability]
    warps = -(-threads // WARP)
    of_warp = rounded_up(registers * WARP, REGISTER_UNIT)
    if of_warp * rounded_up(warps, PARTITIONS) > REGISTERS:
        return 0
    by_registers = PARTITIONS * (REGISTERS // PARTITIONS // of_warp) // warps
    of_block = rounded_up(shared + limits.reserved, limits.shared_unit)
    by_shared = limits.shared // of_block if of_block else limits.blocks
    return min(limits.blocks, limits.warps // warps, by_registers, by_shared)


def warps(capability, registers, shared, threads):
    return blocks(capability, registers, shared, threads) * -(-threads // WARP)
