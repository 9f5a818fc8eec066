"""What ``target_helpers.jinja`` has for JAX and PyTorch, and what both have of NumPy."""

from __future__ import annotations

from generator.targets.words import words

# Of those that entries name ``support.<name>``, or that such ones call.
WRITTEN = frozenset(
    words("""
    _homogeneous cospi erfcx_order expit float_power_partial gauss polygamma polygamma_step
    power_partial sech sinc_order sinpi
    """)
)
# Computed there although the engines have them: theirs lose digits, or the range.
BETTER = {
    name: f"_raw_{name}"
    for name in words("cosh digamma erfcinv erfcx gamma rgamma ndtr sinc sinh zeta")
}
SPECIAL = {name: f"special.{name}" for name in words("erf erfc erfinv gammaln ndtri")} | BETTER
ELEMENTWISE = frozenset(
    words("""
    abs arctan arctan2 arctanh asarray broadcast_arrays ceil clip copysign cos cosh exp exp2 expm1
    floor frexp hypot inf isfinite isinf isnan ldexp log log10 log1p log2 maximum minimum nan
    nan_to_num ones ones_like pi power promote_types result_type rint sign sin sinh sqrt square
    tan tanh trunc where zeros zeros_like
    """)
)
