"""What ``target_helpers.jinja`` has for JAX and PyTorch, and what both have of NumPy."""

from __future__ import annotations

from generator.targets.words import words

# In the place of helpers of ours, ``support.<name>``, and of some that those call.
WRITTEN = {
    name: f"_raw_{name}"
    for name in words("""
        bend cosine cospi erfcx_order expit float_power_partial gauss in_double over_fourth
        over_square polygamma polygamma_step power_partial sinc_derivative sinpi twist
    """)
} | {"real_erfcx_order": "_raw_erfcx_order"}
# Computed there although the engines have them: theirs lose digits, or the range.
BETTER = {
    name: f"_raw_{name}"
    for name in words("cosh digamma erfcinv erfcx gamma ndtr rgamma sinc sinh zeta")
}
SPECIAL = {name: f"special.{name}" for name in words("erf erfc erfinv gammaln ndtri")} | BETTER
ELEMENTWISE = frozenset(
    words("""
    abs arctan arctan2 arctanh asarray broadcast_arrays cbrt ceil clip copysign cos cosh equal
    euler_gamma exp exp2 expm1 floor frexp hypot inf isfinite isinf isnan ldexp log log10 log1p
    log2 maximum minimum nan nan_to_num ones ones_like pi positive power promote_types reciprocal
    result_type rint sign signbit sin sinh sqrt square tan tanh trunc where zeros zeros_like
    """)
)
