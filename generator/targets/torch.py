"""Names and helpers of PyTorch."""

from __future__ import annotations

from generator.targets.dialect import Dialect
from generator.targets.helpers import BETTER, ELEMENTWISE, SPECIAL, WRITTEN
from generator.targets.printer import ArrayTarget
from generator.targets.words import words

SAME = """
    add arccos arccosh arcsin arcsinh arctan arctan2 arctanh ceil copysign cos deg2rad divide
    exp exp2 expm1 floor floor_divide fmax fmin fmod heaviside hypot log log10 log1p log2 logaddexp
    logaddexp2 maximum minimum multiply nan_to_num negative rad2deg reciprocal
    remainder sign sin sqrt square subtract tan tanh trunc
"""
OF_SPECIAL = """
    entr erf erfc erfinv expit gammainc gammaincc gammaln i0 i0e i1 i1e log_ndtr ndtri xlog1py xlogy
"""
OTHERS = {
    "absolute": "torch.abs",
    "clip": "torch.clamp",
    "float_power": "torch.float_power",
    "cbrt": "_raw_cbrt",
    "j0": "torch.special.bessel_j0",
    "j1": "torch.special.bessel_j1",
    "power": "torch.pow",
    "kl_div": "_raw_kl_div",
    "positive": "torch.clone",
    "rel_entr": "_raw_rel_entr",
    "rint": "torch.round",
    "y0": "torch.special.bessel_y0",
    "y1": "torch.special.bessel_y1",
}
# What NumPy's functions are called; those that begin with an underscore take numbers too.
WORDS = {
    "np.asarray": "_asarray",
    "np.broadcast_arrays": "torch.broadcast_tensors",
    "np.cbrt": "_raw_cbrt",
    "np.copysign": "_copysign",
    "np.equal": "torch.eq",
    "np.euler_gamma": "0.5772156649015329",
    "np.float64": "torch.float64",
    "np.ldexp": "_ldexp",
    "np.maximum": "_maximum",
    "np.minimum": "_minimum",
    "np.power": "torch.pow",
    "np.rint": "torch.round",
    "np.where": "_where",
    "astype": "to",
}


class TorchPrinter(ArrayTarget):
    """Print for ``torch`` and ``torch.special``."""

    title = "PyTorch"
    library = "torch"
    infinity = "torch.inf"
    not_a_number = "torch.nan"
    pi = "torch.pi"
    is_nan = "torch.isnan"
    names = (
        {name: f"torch.{name}" for name in words(SAME)}
        | {name: f"torch.special.{name}" for name in words(OF_SPECIAL)}
        | BETTER
        | OTHERS
    )
    dialect = Dialect(
        library="torch",
        names=ELEMENTWISE,
        special=SPECIAL,
        written=WRITTEN | {"floating": "_raw_floating"},
        words=WORDS,
    )
    numbers = True
    indent = 8
