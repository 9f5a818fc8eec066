"""``kernels.h`` compiles without a warning and computes what the broadcasted methods compute."""

import subprocess

import numpy as np
import pytest

from diffrules.entry import scipy
from generator.accuracy.kernels import COMPILER, DTYPE, FLAGS, Kernels, header

HEADER = header()
# libm and NumPy's vector loops round differently, by a few units in the last place.
BOUND = {"double": 1e-12, "float": 2e-5}
LEAST = {"double": 1e-307, "float": 1e-37}

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler (cc)")


@pytest.fixture(scope="session")
def kernels(tmp_path_factory) -> Kernels:
    return Kernels(HEADER, tmp_path_factory.mktemp("kernels"))


@needs_compiler
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_header_compiles_alone_and_twice(tmp_path, level):
    source = tmp_path / "main.c"
    source.write_text('#include "kernels.h"\n#include "kernels.h"\nint main(void) { return 0; }\n')
    command = [COMPILER, *FLAGS, "-pedantic", level, f"-I{HEADER.parent}", str(source), "-lm"]
    subprocess.run([*command, "-o", str(tmp_path / "main")], check=True)


# SciPy's function of very large s is NaN; the kernel has the number.
NAN_IN_SCIPY = {"zeta"}


# SciPy's loops of single precision say so of whole numbers, too.
@pytest.mark.filterwarnings("ignore:non-integer arg n is deprecated")
@needs_compiler
@pytest.mark.parametrize("kind", ["double", "float"])
def test_kernels_compute_what_numpy_computes(rule, methods, kernels, kind):
    if kind == "float" and rule.name in methods.always_double:
        return
    numbers = {"double": None, "float": methods.special_32}[kind]
    points = methods.special(rule, numbers) if numbers else methods.special(rule)
    points += methods.inside(rule, 40, reach=30.0)
    suffix = {"double": "", "float": "f"}[kind]
    bound, least = BOUND[kind], LEAST[kind]
    dtype = DTYPE[kind]
    columns = list(zip(*points, strict=True))
    with np.errstate(all="ignore"):
        out = methods.evaluate(rule, rule.name, points, dtype=dtype).astype(dtype)
    if f"ad_{rule.name}{suffix}" in kernels.arity:
        got = kernels(f"ad_{rule.name}{suffix}", *columns)
        if rule.name in NAN_IN_SCIPY:
            got = np.where(np.isnan(out), out, got)
        compare(methods, f"{rule.name} ({kind})", got, out, points, max(bound, rule.off), least)
    grad = np.full(len(points), 1.5, dtype)
    for _, name in methods.gradients(rule):
        if f"ad_{name}{suffix}" in kernels.arity:
            want = methods.evaluate(rule, name, points, grad, out, dtype=dtype)
            got = kernels(f"ad_{name}{suffix}", grad, out, *columns)
            compare(methods, f"{name} ({kind})", got, want, points, bound, least)


def compare(methods, name, got, want, points, bound, least):
    with np.errstate(all="ignore"):
        want = want.astype(got.dtype)
    wrong = methods.differences(got, want, bound, least)
    assert not len(wrong), [
        f"ad_{name} at {points[i]} is {got[i]}, broadcasted {want[i]}" for i in wrong[:8]
    ]


def test_what_c_lacks_is_said_in_the_header_and_in_the_entry(rule):
    text = HEADER.read_text(encoding="utf-8")
    present = f"double ad_{rule.name}(" in text
    assert present is not isinstance(rule.c, scipy), f"{rule.name}: give c=, a form or scipy(name)"
    if not present:
        assert f"ad_{rule.name}: scipy.special.{rule.c.name}" in text


@needs_compiler
def test_c_has_the_semantics_of_numpy(kernels):
    """B76: what C's own fmod, fmax, comparisons and pow get wrong."""
    nan = np.nan
    assert kernels("ad_remainder", [-19.0], [3.0])[0] == 2.0
    assert np.isnan(kernels("ad_maximum", [0.0, nan], [nan, 0.0])).all()
    assert np.isnan(kernels("ad_minimum", [0.0, nan], [nan, 0.0])).all()
    assert kernels("ad_fmax", [0.0, nan], [nan, 0.0]).tolist() == [0.0, 0.0]
    assert np.isnan(kernels("ad_sign", [nan])[0])
    assert np.isnan(kernels("ad_heaviside", [nan], [0.5])[0])
    assert kernels("ad_cbrt", [-8.0])[0] == -2.0
