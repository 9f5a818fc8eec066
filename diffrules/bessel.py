"""Rules of Bessel functions."""

from __future__ import annotations

from sympy import Abs, Eq, Rational, besseli, besselj, bessely, exp, oo, sign

from diffrules.vocabulary import (
    integers,
    later,
    not_differentiable,
    out,
    point,
    real_only,
    rule,
    scipy,
    symbol,
    where,
    x,
)

n = symbol("n")
HALF = Rational(1, 2)

i0, i1, iv = later("i0"), later("i1"), later("iv", 2)

i0e, i1e, ive = later("i0e"), later("i1e"), later("ive", 2)

rule("i0", args=(x,), value=besseli(0, x),
     partials={x: i1(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     reference="DLMF 10.29.3",
     numpy=("special.i0", "np.i0"), c=scipy("i0"))

rule("i1", args=(x,), value=besseli(1, x),
     partials={x: (i0(x) + iv(2, x)) / 2},
     complex=real_only,
     domain={x: (-oo, oo)},
     note="i0(x) - out/x is 0/0 at 0, and cancels near it when it is differentiated again",
     reference="DLMF 10.29.1",
     numpy="special.i1", c=scipy("i1"))

rule("iv", args=(n, x), value=besseli(n, x),
     partials={n: not_differentiable("SciPy has no derivative of Bessel functions in the order"),
               x: (iv(n - 1, x) + iv(n + 1, x)) / 2},
     domain={n: integers(0, 5), x: (0, oo)},
     reference="DLMF 10.29.1",
     numpy="special.iv", c=scipy("iv"))

rule("i0e", args=(x,), value=exp(-Abs(x)) * besseli(0, x),
     partials={x: i1e(x) - sign(x) * out},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: 0}, "kink of exp(-|x|)")],
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.i0e.html",
     numpy="special.i0e", c=scipy("i0e"))

rule("i1e", args=(x,), value=exp(-Abs(x)) * besseli(1, x),
     partials={x: (i0e(x) + ive(2, x)) / 2 - sign(x) * out},
     complex=real_only,
     domain=[{x: (-oo, 0)}, {x: (0, oo)}],
     at=[point({x: 0.0}, {x: HALF}, "the kink of exp(-|x|) is multiplied by 0")],
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.i1e.html",
     numpy="special.i1e", c=scipy("i1e"))

rule("ive", args=(n, x), value=exp(-Abs(x)) * besseli(n, x),
     partials={n: not_differentiable("SciPy has no derivative of Bessel functions in the order"),
               x: (ive(n - 1, x) + ive(n + 1, x)) / 2 - sign(x) * out},
     complex=real_only,
     domain={n: integers(0, 5), x: (0, oo)},
     reference="https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.ive.html",
     numpy="special.ive", c=scipy("ive"))

j0, j1, jv = later("j0"), later("j1"), later("jv", 2)

rule("j0", args=(x,), value=besselj(0, x),
     partials={x: -j1(x)},
     complex=real_only,
     domain={x: (-oo, oo)},
     reference="DLMF 10.6.3",
     numpy="special.j0", c=scipy("j0"))

rule("j1", args=(x,), value=besselj(1, x),
     partials={x: (j0(x) - jv(2, x)) / 2},
     complex=real_only,
     domain={x: (-oo, oo)},
     note="j0(x) - out/x is 0/0 at 0, and cancels near it when it is differentiated again",
     reference="DLMF 10.6.1",
     numpy="special.j1", c=scipy("j1"))

rule("jv", args=(n, x), value=besselj(n, x),
     partials={n: not_differentiable("SciPy has no derivative of Bessel functions in the order"),
               x: (jv(n - 1, x) - jv(n + 1, x)) / 2},
     domain={n: integers(0, 5), x: (0, oo)},
     reference="DLMF 10.6.1",
     numpy="special.jv", c=scipy("jv"))

y0, y1, yv = later("y0"), later("y1"), later("yv", 2)

rule("y0", args=(x,), value=bessely(0, x),
     partials={x: -y1(x)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     reference="DLMF 10.6.3",
     numpy="special.y0", c=scipy("y0"))

rule("y1", args=(x,), value=bessely(1, x),
     partials={x: where(Eq(x, 0), oo, (y0(x) - yv(2, x)) / 2)},
     complex=real_only,
     domain={x: (0, oo)},
     at=[point({x: 0.0}, {x: oo}, "pole", value=-oo)],
     reference="DLMF 10.6.1",
     numpy="special.y1", c=scipy("y1"))

rule("yv", args=(n, x), value=bessely(n, x),
     partials={n: not_differentiable("SciPy has no derivative of Bessel functions in the order"),
               x: where(Eq(x, 0), oo, (yv(n - 1, x) - yv(n + 1, x)) / 2)},
     complex=real_only,
     domain={n: integers(0, 5), x: (0, oo)},
     at=[point({n: 2, x: 0.0}, {x: oo}, "pole", value=-oo)],
     reference="DLMF 10.6.1",
     numpy=("special.yv", "special.yn"), c=scipy("yv"))
