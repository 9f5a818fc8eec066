"""Names and helpers of JAX."""

from __future__ import annotations

from generator.targets.dialect import Dialect
from generator.targets.helpers import BETTER, ELEMENTWISE, SPECIAL, WRITTEN
from generator.targets.printer import ArrayTarget
from generator.targets.words import words

SAME = """
    absolute add arccos arccosh arcsin arcsinh arctan arctan2 cbrt ceil copysign cos
    deg2rad divide exp expm1 floor floor_divide float_power fmax fmin fmod heaviside hypot ldexp
    log log10 log2 logaddexp logaddexp2 maximum minimum multiply nan_to_num negative positive
    power rad2deg reciprocal remainder rint sign sin sqrt square subtract tan tanh trunc
"""
OF_SPECIAL = """
    betainc entr erf exp1 expi gammainc gammaincc gammaln i0 i0e i1 i1e kl_div
    ndtri rel_entr spence xlog1py xlogy
"""
# Written in the template for JAX alone: XLA rounds on the way, or stops early.
OWN = {name: f"_raw_{name}" for name in words("arctanh erfc erfinv exp2 log1p")}


class JaxPrinter(ArrayTarget):
    """Print for ``jax.numpy`` and ``jax.scipy.special``."""

    title = "JAX"
    library = "jnp"
    infinity = "jnp.inf"
    not_a_number = "jnp.nan"
    pi = "jnp.pi"
    is_nan = "jnp.isnan"
    names = (
        {name: f"jnp.{name}" for name in words(SAME)}
        | {name: f"special.{name}" for name in words(OF_SPECIAL)}
        | BETTER
        | OWN
    )
    dialect = Dialect(
        library="jnp",
        names=ELEMENTWISE,
        special=SPECIAL | OWN,
        written=WRITTEN,
        words={"np.exp2": "_raw_exp2", "np.float64": "float", "np.log1p": "_raw_log1p"},
    )
