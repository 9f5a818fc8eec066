"""The files for autograd and Numba, as their users call them."""

import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[3] / "docs" / "targets.md"
PRINTED = {
    "jax": ["0 7.715e-22", "-1", "0"],
    "torch": ["7.715e-22 -1.543e-21"],
    "autograd": ["7.715e-22 0.149361"],
    "numba": ["1e+10"],
}
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def autograd():
    return pytest.importorskip("autograd", reason="autograd is not installed")


@pytest.fixture
def numba():
    return pytest.importorskip("numba", reason="numba is not installed")


@pytest.mark.parametrize("name", ["tanh", "hypot", "sinc", "gammainc", "logaddexp", "log_ndtr"])
def test_both_modes_agree_with_differences(files, autograd, name):
    from autograd.test_util import check_grads

    ops = files.module("autograd")
    x, y = np.array([0.5, 1.25]), np.array([[0.75], [2.0]])
    args = (x, y) if name in {"hypot", "gammainc", "logaddexp"} else (x,)
    order = 1 if name == "gammainc" else 2
    check_grads(getattr(ops, name), modes=["fwd", "rev"], order=order)(*args)


def test_higher_orders_of_autograd(files, autograd):
    ops = files.module("autograd")
    third = autograd.grad(autograd.grad(autograd.grad(ops.sinpi)))
    assert math.isclose(third(0.25), -(math.pi**3) * math.cos(math.pi / 4), rel_tol=1e-14)
    assert autograd.grad(lambda x: ops.where(x > 0.0, ops.sqrt(x), 0.0))(0.0) == 0.0


def test_arguments_without_derivative_in_autograd(files, autograd):
    ops = files.module("autograd")
    with pytest.raises(TypeError, match="zeta has no derivative in s"):
        autograd.grad(ops.zeta)(2.0, 1.0)
    assert math.isclose(autograd.grad(ops.zeta, 1)(2.0, 1.0), -2.0 * ops.zeta(3.0, 1.0))


def test_compiled_code_calls_the_functions_of_numba(files, numba):
    ops = files.module("numba")
    tanh, slope = ops.tanh, ops.tanh_grad_x

    @numba.njit
    def total(array):
        found = 0.0
        for x in array:
            found += slope(1.0, tanh(x), x)
        return found

    @numba.vectorize
    def elementwise(x, y):
        return ops.hypot_grad_x(1.0, ops.hypot(x, y), x, y)

    x = np.array([0.5, 30.0])
    assert math.isclose(total(x), np.sum(1 / np.cosh(x) ** 2), rel_tol=1e-14)
    np.testing.assert_allclose(elementwise(np.array([3.0, 0.0]), np.array([4.0, 0.0])), [0.6, 0.0])


def test_zero_times_anything_is_zero_in_numba(files, numba):
    ops = files.module("numba")
    assert ops.sqrt_grad_x(0.0, 0.0, 0.0) == 0.0
    assert ops.log_grad_x(0.0, -math.inf, 0.0) == 0.0
    assert math.isnan(ops.log_grad_x(math.nan, 0.0, 1.0))
    assert ops.log_grad_x(1.0, -math.inf, 0.0) == math.inf


@pytest.mark.parametrize("target", PRINTED)
def test_the_program_of_the_page_runs(files, target, tmp_path):
    pytest.importorskip(target, reason=f"{target} is not installed")
    (tmp_path / f"{target}_ops.py").write_text(files[target].text)
    program = re.search(rf"<!-- engine: {target} -->\n```python\n(.*?)```", PAGE.read_text(), re.S)
    done = subprocess.run(
        [sys.executable, "-c", program[1]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for line, start in zip(done.stdout.splitlines(), PRINTED[target], strict=False):
        assert line.startswith(start)
