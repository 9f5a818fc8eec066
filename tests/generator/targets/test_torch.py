"""The file for PyTorch under its own checks and transformations."""

import math

import numpy as np
import pytest

from generator.targets.words import words

pytestmark = pytest.mark.filterwarnings("ignore")
# One of each kind: elementary, in pieces, of helpers of ours, of several arguments.
CHECKED = words("""
    arctan2 arctanh cbrt clip digamma elu erf erfcx erfinv expit gelu hypot log1mexp log_ndtr
    logaddexp mish power reciprocal silu sinc softplus tanh xlogy
""")
OPEN = {"arctanh": 0.5, "erfinv": 0.5}


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="torch is not installed")


@pytest.fixture
def ops(files):
    return files.module("torch")


def arguments(torch, name, function):
    count = function.__code__.co_argcount
    sign = -1.0 if name == "log1mexp" else 1.0
    size = OPEN.get(name, 1.7)
    return [
        (
            sign * torch.linspace(0.2 + 0.1 * k, size + 0.1 * k, 4, dtype=torch.float64)
        ).requires_grad_()
        for k in range(count)
    ]


@pytest.mark.parametrize("name", CHECKED)
def test_gradients_of_both_orders(torch, ops, name):
    function = getattr(ops, name)
    args = arguments(torch, name, function)
    assert torch.autograd.gradcheck(
        function, args, check_forward_ad=True, check_batched_grad=True, fast_mode=True
    )
    assert torch.autograd.gradgradcheck(function, args, fast_mode=True)


def test_transformations_nest(torch, ops):
    from torch.func import grad, hessian, jacfwd, jvp, vmap

    x = torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64)
    want = -2.0 * torch.tanh(x) / torch.cosh(x) ** 2
    torch.testing.assert_close(vmap(grad(grad(ops.tanh)))(x), want)
    torch.testing.assert_close(torch.diag(hessian(lambda v: ops.tanh(v).sum())(x)), want)
    torch.testing.assert_close(torch.diag(jacfwd(ops.sinpi)(x)), math.pi * ops.cospi(x))
    tangent = jvp(ops.hypot, (x, x), (torch.ones_like(x), torch.zeros_like(x)))[1]
    torch.testing.assert_close(tangent, torch.full_like(x, 1 / math.sqrt(2)))


def test_broadcasting_is_summed_back(torch, ops):
    x, y = (torch.ones(shape, dtype=torch.float64, requires_grad=True) for shape in ((3, 1), 4))
    ops.hypot(x, y).sum().backward()
    assert x.grad.shape == (3, 1)
    np.testing.assert_allclose(x.grad, np.full((3, 1), 4 / math.sqrt(2)))
    np.testing.assert_allclose(y.grad, np.full(4, 3 / math.sqrt(2)))


def test_only_what_is_asked_for_is_differentiated(torch, ops):
    x = torch.tensor(-2.0, dtype=torch.float64, requires_grad=True)
    ops.power(x, 3).backward()
    assert x.grad == 12.0
    s = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    with pytest.raises(TypeError, match="zeta has no derivative in s"):
        ops.zeta(s, 1.0).backward()
    with pytest.raises(TypeError, match="complex"):
        ops.tanh(torch.tensor(1.0 + 1.0j))


@pytest.mark.parametrize("name", ["sqrt", "log", "reciprocal", "digamma", "tanh", "silu"])
def test_zero_times_anything_is_zero(torch, ops, name):
    for at in (0.0, -math.inf, math.nan):
        x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
        torch.where(x > 0.0, getattr(ops, name)(x), 0.0).backward()
        assert x.grad == 0.0, at
    x = torch.tensor(1.0, requires_grad=True)
    getattr(ops, name)(x).backward(torch.tensor(math.nan))
    assert torch.isnan(x.grad)


def test_a_cotangent_of_zero_still_has_a_derivative(torch, ops):
    """Half the square of f has the second derivative f'**2 + f*f'', also where f is 0."""
    x = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(ops.square(ops.sin(x)) / 2, x, create_graph=True)
    assert first == 0.0
    assert torch.autograd.grad(first, x)[0] == 1.0


def test_single_precision_stays_and_whole_numbers_are_floats(torch, ops):
    x = torch.tensor([0.5], requires_grad=True)
    for name in ("tanh", "hypot", "silu", "log_ndtr", "erf", "sinc", "power", "gelu"):
        args = (x, x) if name in {"hypot", "power"} else (x,)
        out = getattr(ops, name)(*args)
        (grad,) = torch.autograd.grad(out.sum(), x)
        assert out.dtype == grad.dtype == torch.float32, name
    assert ops.exp(torch.tensor([1, 2])).dtype == torch.float32
    assert ops.hypot(torch.tensor([3.0], dtype=torch.float64), 4).item() == 5.0
