"""The file for JAX in its transformations."""

import math

import numpy as np
import pytest

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def jax():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)
    return jax


@pytest.fixture
def ops(files):
    return files.module("jax")


def test_transformations_nest(jax, ops):
    x = jax.numpy.array([0.5, 1.0, 2.0])
    want = -2.0 * np.tanh(x) / np.cosh(x) ** 2
    second = jax.jit(jax.vmap(jax.grad(jax.grad(ops.tanh))))(x)
    np.testing.assert_allclose(second, want, rtol=1e-14)
    hessian = jax.jit(jax.hessian(lambda v: jax.numpy.sum(ops.tanh(v))))(x)
    np.testing.assert_allclose(np.diag(hessian), want, rtol=1e-14)
    third = jax.jacfwd(jax.jacrev(jax.grad(ops.sinpi)))(0.25)
    assert math.isclose(third, -(math.pi**3) * math.cos(math.pi / 4), rel_tol=1e-14)


def test_only_what_is_asked_for_is_differentiated(jax, ops):
    assert jax.grad(ops.power)(-2.0, 3) == 12.0
    with pytest.raises(TypeError, match="polygamma has no derivative in n: the order is a whole"):
        jax.grad(ops.polygamma)(1.0, 2.0)
    with pytest.raises(TypeError, match="tanh has no rule for complex arguments"):
        jax.grad(ops.tanh, holomorphic=True)(1.0 + 1.0j)


def test_broadcasting_is_summed_back(jax, ops):
    x, y = jax.numpy.ones((3, 1)), jax.numpy.ones(4)
    got = jax.grad(lambda x, y: jax.numpy.sum(ops.hypot(x, y)), (0, 1))(x, y)
    np.testing.assert_allclose(got[0], np.full((3, 1), 4 / math.sqrt(2)))
    np.testing.assert_allclose(got[1], np.full(4, 3 / math.sqrt(2)))
    mapped = jax.vmap(jax.grad(ops.hypot), in_axes=(0, None))(jax.numpy.ones(3), 1.0)
    np.testing.assert_allclose(mapped, np.full(3, 1 / math.sqrt(2)))


@pytest.mark.parametrize("name", ["sqrt", "log", "reciprocal", "digamma", "tanh", "silu"])
def test_zero_times_anything_is_zero(jax, ops, name):
    jnp, function = jax.numpy, getattr(ops, name)

    def masked(x):
        return jnp.where(x > 0.0, function(x), 0.0)

    for at in (0.0, -math.inf, math.nan):
        assert jax.grad(masked)(at) == 0.0, at
    (_, tangent) = jax.jvp(function, (0.0,), (0.0,))
    assert tangent == 0.0
    assert math.isnan(jax.vjp(function, 1.0)[1](math.nan)[0])


def test_a_branch_that_is_not_taken_sends_nothing_back(jax, ops):
    for function in (ops.log_ndtr, ops.silu, ops.mish, ops.logaddexp):
        args = (-40.0, 3.0) if function is ops.logaddexp else (-40.0,)
        second = jax.grad(jax.grad(function))(*args)
        assert math.isfinite(second), function.__name__


def test_single_precision_stays(jax, ops):
    x = jax.numpy.float32(0.5)
    for name in ("tanh", "hypot", "silu", "log_ndtr", "erf", "sinc", "power", "gelu"):
        args = (x, x) if name in {"hypot", "power"} else (x,)
        function = getattr(ops, name)
        assert function(*args).dtype == np.float32, name
        assert jax.grad(function)(*args).dtype == np.float32, name
        assert jax.grad(jax.grad(function))(*args).dtype == np.float32, name


def test_a_number_takes_the_type_of_the_array_beside_it(jax, ops):
    x = jax.numpy.float32(0.5)
    assert (ops.tanh(2.0) * x).dtype == np.float32
    assert (ops.hypot(1.0, x)).dtype == np.float32
    assert jax.grad(lambda v: ops.hypot(3.0, v) * ops.exp(1.0))(x).dtype == np.float32


def test_without_double_precision(jax, ops):
    with jax.enable_x64(False):
        x = jax.numpy.array([-20.0, -3.0, -0.5, 0.75, 4.0])
        got = jax.vmap(jax.grad(ops.tanh))(x)
        assert got.dtype == np.float32
        np.testing.assert_allclose(got, 1 / np.cosh(np.array(x, float)) ** 2, rtol=3e-6)
        got = jax.vmap(jax.grad(ops.erf))(x)
        exact = 2 / math.sqrt(math.pi) * np.exp(-(np.array(x, float) ** 2))
        np.testing.assert_allclose(got[1:], exact[1:], rtol=3e-6)


@pytest.mark.parametrize(
    ("x", "y", "want"),
    [
        (1e-300, 1e300, 9.9999999999999997494e299),
        (1e308, 1e308, 0.69314718055994530942),
        (1.0, 1e-300, 1.6449340668482264777e-300),
        (1e200, 1e190, 9.9999999995000010283e-11),
        (1e-200, 1e-150, 1.0000000000000000179e200),
    ],
)
def test_steps_of_digamma_at_the_ends_of_the_range(jax, ops, x, y, want):
    got = ops._polygamma_step(0, *map(jax.numpy.asarray, (x, y)))
    assert math.isclose(got, want, rel_tol=4 * 2.0**-52)
