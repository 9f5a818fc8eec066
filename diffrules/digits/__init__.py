"""Functions of many digits where mpmath's own are slow or fail, far out and at the edges.

`FUNCTIONS` is what the oracle knows as ``mpmath``: mpmath, with ours in place of its own. All
work at the precision of their caller, and leave to mpmath what they are not made for.
"""

from __future__ import annotations

from types import SimpleNamespace

import mpmath

from diffrules.digits import bessel, errors, gammas, incomplete, integrals

FUNCTIONS = SimpleNamespace(**vars(mpmath))
for _module in (bessel, errors, gammas, incomplete, integrals):
    for _name in _module.__all__:
        setattr(FUNCTIONS, _name, getattr(_module, _name))
