"""`precise=True` gives the numbers of libm, bit for bit."""

import math

import numpy as np
import pytest

import autodiff as ad
from autodiff.compiler.errors import CompileError
from autodiff.compiler.toolchain import find_toolchain


@pytest.mark.parametrize("name", ["sin", "cos", "exp", "tanh"])
def test_the_bits_of_libm(name):
    try:
        find_toolchain()
    except CompileError as error:
        pytest.skip(str(error))
    x = np.linspace(-20.0, 20.0, 999)
    compiled = ad.compile(getattr(np, name), backend="c", precise=True)
    wanted = np.array([getattr(math, name)(one) for one in x])
    np.testing.assert_array_equal(compiled(x), wanted)
    assert "declare simd" not in compiled.source(x)
