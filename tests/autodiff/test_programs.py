"""Random programs of our functions: both modes, finite differences, and peers where installed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autodiff as ad

N = 3  # values are matrices of N x N, vectors of N, or numbers


def _square(xp, a):
    """Return `a` as a matrix N x N."""
    return a * xp.ones((N, N))


def _regular(xp, a):
    """Return a well-conditioned matrix made of `a`."""
    m = xp.tanh(_square(xp, a))
    return m @ m.T / N + xp.diag(xp.asarray([2.0, 3.0, 4.0]))


UNARY = {
    "sin": lambda xp, a: xp.sin(a),
    "tanh": lambda xp, a: xp.tanh(a),
    "exp": lambda xp, a: xp.exp(xp.tanh(a)),
    "log": lambda xp, a: xp.log(1.5 + a * a),
    "sqrt": lambda xp, a: xp.sqrt(1.0 + a * a),
    "arctan": lambda xp, a: xp.arctan(a),
    "cube": lambda xp, a: xp.tanh(a) ** 3,
    "abs": lambda xp, a: xp.abs(a),
    "sinh": lambda xp, a: xp.sinh(xp.tanh(a)),
    "sum": lambda xp, a: xp.sum(a),
    "mean": lambda xp, a: xp.mean(_square(xp, a), 0),
    "mean keepdims": lambda xp, a: a - xp.mean(_square(xp, a), 1, keepdims=True),
    "var": lambda xp, a: xp.var(_square(xp, a), 1, ddof=1),
    "max": lambda xp, a: xp.max(_square(xp, a) + xp.asarray([0.1, 0.2, 0.4]), 1),
    "prod": lambda xp, a: xp.prod(xp.tanh(_square(xp, a)), 0),
    "cumsum": lambda xp, a: xp.cumsum(_square(xp, a), 1) / N,
    "transpose": lambda xp, a: _square(xp, a).T,
    "reshape": lambda xp, a: xp.reshape(xp.reshape(_square(xp, a), (N * N,)), (N, N)),
    "flip": lambda xp, a: xp.flip(_square(xp, a), 1),
    "roll": lambda xp, a: xp.roll(_square(xp, a), 1, 0),
    "slice": lambda xp, a: _square(xp, a)[1, ::2][0] * _square(xp, a)[:, 1],
    "indices": lambda xp, a: _square(xp, a)[np.array([2, 0, 2])],
    "diagonal": lambda xp, a: xp.diagonal(_square(xp, a)),
    "tril": lambda xp, a: xp.tril(_square(xp, a)),
    "where": lambda xp, a: xp.where(a > 0.0, a, 0.5 * xp.sin(a)),
    "clip": lambda xp, a: xp.clip(a, -0.7, 0.9),
    "sort": lambda xp, a: xp.sort(_square(xp, a) + xp.asarray([0.3, 0.1, 0.2]), 1),
    "pad": lambda xp, a: xp.pad(_square(xp, a)[1:, :], ((1, 0), (0, 0))),
    "norm": lambda xp, a: xp.linalg.norm(_square(xp, a) + 0.3),
    "inv": lambda xp, a: xp.linalg.inv(_regular(xp, a)),
    "logdet": lambda xp, a: xp.linalg.slogdet(_regular(xp, a))[1],
    "cholesky": lambda xp, a: xp.linalg.cholesky(_regular(xp, a)),
    "eigvalsh": lambda xp, a: xp.linalg.eigvalsh(_regular(xp, a)),
    "fft": lambda xp, a: xp.real(xp.fft.fft(_square(xp, a))) / N,
    "spectrum": lambda xp, a: xp.abs(xp.fft.fft(_square(xp, a) + 0.3)) ** 2 / N,
}
BINARY = {
    "add": lambda xp, a, b: a + b,
    "subtract": lambda xp, a, b: a - b,
    "multiply": lambda xp, a, b: a * xp.tanh(b),
    "divide": lambda xp, a, b: a / (1.5 + b * b),
    "power": lambda xp, a, b: (1.0 + a * a) ** xp.tanh(b),
    "maximum": lambda xp, a, b: xp.maximum(a, b + 0.05),
    "hypot": lambda xp, a, b: xp.hypot(a, b + 2.0 + b * b),
    "arctan2": lambda xp, a, b: xp.arctan2(a, b + 3.0 + b * b),
    "logaddexp": lambda xp, a, b: xp.logaddexp(a, b),
    "matmul": lambda xp, a, b: _square(xp, a) @ xp.tanh(_square(xp, b)) / N,
    "einsum": lambda xp, a, b: xp.einsum("ij,kj->ik", xp.tanh(_square(xp, a)), _square(xp, b)),
    "outer": lambda xp, a, b: xp.outer(_square(xp, a)[0], xp.tanh(_square(xp, b)[1])),
    "tensordot": lambda xp, a, b: xp.tensordot(xp.tanh(_square(xp, a)), xp.tanh(_square(xp, b)), 1),
    "concatenate": lambda xp, a, b: xp.concatenate([_square(xp, a)[:1], _square(xp, b)[1:]]),
    "stack": lambda xp, a, b: xp.stack([a + 0.0 * b, b + 0.0 * a])[1] * 0.5,
    "solve": lambda xp, a, b: xp.linalg.solve(_regular(xp, a), _square(xp, b)),
}
STEPS = [(name, 1) for name in UNARY] + [(name, 2) for name in BINARY]

programs = st.lists(
    st.tuples(st.sampled_from(STEPS), st.integers(0, 99), st.integers(0, 99)),
    min_size=5,
    max_size=15,
)


def run(program, xp, *arrays):
    """Return the mean of the values that a program makes, each of the size of 1."""
    values = list(arrays)
    for (name, arity), first, second in program:
        a, b = values[first % len(values)], values[second % len(values)]
        new = UNARY[name](xp, a) if arity == 1 else BINARY[name](xp, a, b)
        values.append(new / (1.0 + xp.mean(new * new)))
    return sum(xp.mean(value) for value in values)


def arguments(seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, N)), rng.normal(size=N), np.array(rng.normal())


@given(programs, st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_both_modes_agree_with_differences(program, seed):
    ad.check_grads(lambda *a: run(program, np, *a), arguments(seed), order=1, rtol=1e-5)


@given(programs, st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_second_derivatives_agree_in_every_order_of_modes(program, seed):
    x, *rest = arguments(seed)
    direction = np.random.default_rng(seed + 1).normal(size=x.shape)

    def f(x):
        return run(program, np, x, *rest)

    over_reverse = ad.jvp(ad.grad(f), (x,), (direction,))[1]
    reverse = ad.grad(lambda x: np.sum(ad.grad(f)(x) * direction))(x)
    over_forward = ad.grad(lambda x: ad.jvp(f, (x,), (direction,))[1])(x)
    scale = 1e-9 * (1.0 + np.max(np.abs(over_reverse)))
    np.testing.assert_allclose(reverse, over_reverse, rtol=1e-7, atol=scale)
    np.testing.assert_allclose(over_forward, over_reverse, rtol=1e-7, atol=scale)


@given(programs, st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_jax_agrees(program, seed):
    jax = pytest.importorskip("jax", reason="JAX is a peer of the benchmarks")
    jax.config.update("jax_enable_x64", True)
    args = arguments(seed)
    value, found = ad.value_and_grad(lambda *a: run(program, np, *a), (0, 1, 2))(*args)
    theirs = jax.value_and_grad(lambda *a: run(program, jax.numpy, *a), (0, 1, 2))(*args)
    np.testing.assert_allclose(value, theirs[0], rtol=1e-9)
    scale = 1e-9 * (1.0 + max(np.max(np.abs(g)) for g in found))
    for ours, other in zip(found, theirs[1], strict=True):
        np.testing.assert_allclose(ours, other, rtol=1e-7, atol=scale)


class Torch:
    """PyTorch under the names of NumPy that the programs use."""

    def __init__(self, torch):
        self.torch, self.fft, self.pi = torch, torch.fft, np.pi
        self.linalg = torch.linalg

    def __getattr__(self, name):
        return getattr(self.torch, name)

    def ones(self, shape):
        return self.torch.ones(shape, dtype=self.torch.float64)

    def asarray(self, values):
        return self.torch.tensor(values, dtype=self.torch.float64)

    def var(self, a, axis, *, ddof):
        return self.torch.var(a, axis, correction=ddof)

    def max(self, a, axis):
        return self.torch.amax(a, axis)

    def sort(self, a, axis):
        return self.torch.sort(a, axis)[0]

    def flip(self, a, axis):
        return self.torch.flip(a, (axis,))

    def pad(self, a, widths):
        (top, _), _ = widths
        return self.torch.nn.functional.pad(a, (0, 0, top, 0))

    def where(self, c, a, b):
        return self.torch.where(c, a, b)


@given(programs, st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_torch_agrees(program, seed):
    torch = pytest.importorskip("torch", reason="PyTorch is a peer of the benchmarks")
    args = arguments(seed)
    value, found = ad.value_and_grad(lambda *a: run(program, np, *a), (0, 1, 2))(*args)
    leaves = [torch.tensor(a, requires_grad=True) for a in args]
    out = run(program, Torch(torch), *leaves)
    out.backward()
    np.testing.assert_allclose(value, out.item(), rtol=1e-9)
    scale = 1e-9 * (1.0 + max(np.max(np.abs(g)) for g in found))
    for ours, leaf in zip(found, leaves, strict=True):
        theirs = np.zeros(leaf.shape) if leaf.grad is None else leaf.grad.numpy()
        np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=scale)
