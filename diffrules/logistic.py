"""Rules of logistic functions and logarithms of sums."""

from __future__ import annotations

from sympy import Abs, Rational, atanh, exp, log, oo

from diffrules.exponential import log1p
from diffrules.hyperbolic import sech
from diffrules.vocabulary import point, real_only, rule, where, x

HALF, QUARTER = Rational(1, 2), Rational(1, 4)

expit = rule("expit", args=(x,), value=1 / (1 + exp(-x)),
     partials={x: sech(x / 2)**2 / 4},
     complex=real_only,
     domain={x: (-oo, oo)},
     note="out*(1 - out) is 0 beyond x = 37; a form with exp(-|x|) keeps its digits, but its own "
          "derivative does not near 0",
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.expit.html",
     numpy=("support.expit", "special.expit"),
     math=where(x < 0, exp(x) / (1 + exp(x)), 1 / (1 + exp(-x))))

rule("logit", args=(x,), value=log(x / (1 - x)),
     partials={x: 1 / x + 1 / (1 - x)},
     complex=real_only,
     domain={x: (0, 1)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo),
         point({x: 1}, {x: oo}, "pole", value=oo)],
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.logit.html",
     numpy="special.logit",
     math=where(Abs(x - HALF) < QUARTER, 2 * atanh(2 * x - 1), log(x / (1 - x))))

rule("log_expit", args=(x,), value=-log(1 + exp(-x)),
     partials={x: expit(-x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.log_expit.html",
     numpy="special.log_expit", math=where(x < 0, x - log1p(exp(x)), -log1p(exp(-x))))
