"""The dtype that comes in goes out (B65)."""

import inspect

import numpy as np
import pytest

from diffrules.entry import real_only

# The loops of single precision say so of whole numbers, too.
pytestmark = pytest.mark.filterwarnings("ignore:non-integer arg n is deprecated")


@pytest.mark.parametrize("shape", [(3,), ()], ids=["array", "scalar"])
def test_float32_stays_float32(rule, methods, shape):
    point = methods.inside(rule, 1, reach=3.0)[0]
    args = cast(methods, rule, point, np.float32, shape)
    expected = np.float64 if rule.name in methods.always_double else np.float32
    with np.errstate(all="ignore"):
        out = methods.broadcasted(rule, rule.name)(*args)
        assert out.dtype == expected
        for _, name in methods.gradients(rule):
            gradient = methods.broadcasted(rule, name)(np.ones_like(out), out, *args)
            assert gradient.dtype == expected, name


def test_float16_stays_where_numpy_computes(rule, methods):
    """SciPy has no half precision; NumPy's own functions do."""
    point = methods.inside(rule, 1, reach=3.0)[0]
    args = cast(methods, rule, point, np.float16, (3,))
    with np.errstate(all="ignore"):
        out = methods.broadcasted(rule, rule.name)(*args)
        for _, name in methods.gradients(rule):
            method = methods.broadcasted(rule, name)
            if out.dtype == np.float16 and "special." not in inspect.getsource(method):
                assert method(np.ones_like(out), out, *args).dtype == np.float16, name


def test_complex64_stays_complex64(rule, methods):
    if rule.complex is real_only or rule.name in methods.always_double:
        return
    point = methods.inside(rule, 1, reach=3.0)[0]
    followed = {index for index, _ in methods.gradients(rule)}
    turned = [
        np.full(3, number + 0.3j, np.complex64) if i in followed else number
        for i, number in enumerate(point)
    ]
    with np.errstate(all="ignore"):
        out = methods.broadcasted(rule, rule.name)(*turned)
        assert out.dtype == np.complex64
        for index, name in methods.gradients(rule):
            name += "_complex" if rule.args[index] in rule.own_complex else ""
            gradient = methods.broadcasted(rule, name)(np.ones_like(out), out, *turned)
            assert gradient.dtype == np.complex64, name


def cast(methods, rule, point, dtype, shape):
    """Return arguments of one dtype; what is beyond its range is at the end of it."""
    end = float(np.finfo(dtype).max)
    return [
        number
        if methods.is_whole(rule, i)
        else np.full(shape, min(max(number, -end), end), dtype)[()]
        for i, number in enumerate(point)
    ]
