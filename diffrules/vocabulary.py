"""The words an entry of the table is written in.

An entry is one call of `rule`. Its fields, always in this order:

======================  ==============================================================
field                   holds, and what it drives
======================  ==============================================================
``name, args``          public name (NumPy's where NumPy has one) and argument symbols;
                        the key of an entry is (name, number of arguments)
``aliases``             further public names of the same function
``value``               the meaning as SymPy; forward code, test oracle, symbolic export
``let``                 ``{symbol: expression}`` terms bound to a name, in order: shared
                        by the partials, or to be rounded exactly as they stand
``partials``            one expression per argument, or ``not_differentiable(reason)``
``complex``             ``real_only``, or the partials that differ for complex arguments, which
                        are all complex then; nothing means that the same partials hold
``domain``              where value and partials are finite (see `diffrules.domains`);
                        drives samples, docstrings and tests
``at``                  singular points: `point` (where, partials there, reason)
``ulp``                 measured bound of the partials, and of a value we compute ourselves, in
                        units in the last place; ``{argument: bound, out: bound}`` where they
                        differ, and ``(x, y): bound`` for a second derivative above 16
``off``                 by how much of their size NumPy's or SciPy's own values were measured to
                        be off, where that is more than 1e-12; needs ``numpy``
``note``                why this form and not the obvious one
``reference``           DLMF, paper or NumPy page
``numpy, math, c``      the callee where it does not follow from ``value``: a dotted name
                        (``"np.hypot"``, ``"special.expit"``, ``"math.hypot"``; several in a
                        tuple: the entry answers for all, the first is called), an
                        expression in the arguments, or ``scipy(name)`` for what C99 lacks;
                        an expression in ``numpy`` or ``math`` serves C too, unless ``c`` is given
======================  ==============================================================

Names in scope of ``partials``: the arguments, ``out`` (the value) and the symbols of
``let``. SymPy rewrites what it sees, ``(x/h)/h`` to ``x/h**2``; a ``let`` symbol and
``out`` are opaque to it, and so are the guards:

``nonzero(h)``
    ``h``, but 1 where ``h`` is 0. For quotients whose numerator is 0 there too: the
    quotient is then 0, the derivative at the tip of a cone.
``where(c, a, b)``
    ``a`` where the condition holds, else ``b``. The branch not taken never counts. NumPy
    evaluates both; the cotangent is moved inside, so dtype and zeros stay right.
``indicator(c)``
    1 where the condition holds, else 0. Cheaper than ``where`` as a factor.
``isnan(x)``
    condition, true where ``x`` is NaN (SymPy would turn ``x != x`` into false).

An entry is callable: ``expit(-x)`` in the expression of another entry is that function,
whole, printed as a call and differentiated by its own partials; ``later("cospi")`` is the
function of an entry further down. SymPy's own classes (``sin``, ``gamma``, ``polygamma`` ...)
are printed through the entry whose value they are.

``refused("why, and what to use", "special.nrdtrimn", ...)`` says so of functions that have no
entry; the error that users see repeats it.

A rule that a project of its own needs is written the same way, in any importable module;
see ``python -m generator --rules``.
"""

from __future__ import annotations

from diffrules.domains import REALS, closed, integers
from diffrules.entry import (
    RULES,
    Rule,
    RuleError,
    later,
    not_differentiable,
    point,
    real_only,
    refused,
    scipy,
)
from diffrules.guards import indicator, isnan, nonzero, out, symbol, where, x, y
from diffrules.table import rule

__all__ = [
    "REALS",
    "RULES",
    "Rule",
    "RuleError",
    "closed",
    "indicator",
    "integers",
    "isnan",
    "later",
    "nonzero",
    "not_differentiable",
    "out",
    "point",
    "real_only",
    "refused",
    "rule",
    "scipy",
    "symbol",
    "where",
    "x",
    "y",
]
