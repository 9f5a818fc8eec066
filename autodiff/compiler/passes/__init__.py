"""What is done to a program before a backend sees it, one pass a file.

Each pass takes a program and returns one that gives the same bits; only `hoist` adds in another
order.
"""

from __future__ import annotations

from autodiff.compiler.passes.assemble import assemble
from autodiff.compiler.passes.blocks import join_scans, simplify_inside, trim_blocks
from autodiff.compiler.passes.common import share_common
from autodiff.compiler.passes.constants import fold_constants
from autodiff.compiler.passes.dead import drop_dead
from autodiff.compiler.passes.finite import drop_care
from autodiff.compiler.passes.hoisting import hoist
from autodiff.compiler.passes.identities import drop_identities
from autodiff.compiler.passes.outer import spread_outer
from autodiff.compiler.program import Pass, Program


def _simplify_inside(program: Program) -> Program:
    return simplify_inside(program, simplified)


PASSES: tuple[Pass, ...] = (
    drop_dead,
    fold_constants,
    drop_care,
    drop_identities,
    spread_outer,
    share_common,
    _simplify_inside,
    join_scans,
    trim_blocks,
    hoist,
    trim_blocks,
    drop_dead,
    assemble,
)


def simplified(program: Program) -> Program:
    """Return the program after all passes."""
    for each in PASSES:
        program = each(program)
    return program
