"""mpmath made quick enough for some 10^6 numbers. For worker processes: it changes mpmath."""

from __future__ import annotations

from typing import Any

import mpmath
from mpmath import libmp
from mpmath.libmp import libelefun

# From so many bits of the exponent on, repeated squaring costs more than a logarithm.
LONG = 40
# Digits at which mpmath's table for the gamma function is made; shorter ones are cut from it.
TABLE = 450

_by_squaring = libelefun.mpf_pow_int


def prepare() -> None:
    """Change mpmath in this process."""
    libelefun.mpf_pow_int = _power
    with mpmath.workdps(TABLE):
        mpmath.gamma(mpmath.mpf("1.3"))


def _power(base: Any, n: int, prec: int, rounding: str = libmp.round_down) -> Any:
    """Return ``base**n`` of raw numbers; by the exponential function where `n` is long.

    mpmath squares as often as `n` has bits, also for exp of a whole number, and each double
    beyond 2**53 is one.
    """
    sign, mantissa, _, _ = base
    if int(n).bit_length() <= LONG or not mantissa:
        return _by_squaring(base, n, prec, rounding)
    size = libmp.mpf_abs(base)
    rough = libmp.mpf_log(size, 53)
    more = int(n).bit_length() + max(0, rough[2] + rough[3]) + 20
    exponent = libmp.mpf_mul(libmp.from_int(n), libmp.mpf_log(size, prec + more), prec + more)
    log2 = libmp.mpf_ln2(prec + more)
    twos = libmp.to_int(libmp.mpf_div(exponent, log2, more))
    rest = libmp.mpf_sub(exponent, libmp.mpf_mul(libmp.from_int(twos), log2), prec + 20)
    found = libmp.mpf_shift(libmp.mpf_exp(rest, prec + 10), twos)
    return (
        libmp.mpf_neg(found, prec, rounding) if sign & n else libmp.mpf_pos(found, prec, rounding)
    )
