"""A small package as clients of autograd write them, with nothing but its imports changed.

A manifold optimizer, a survival model with its own special function, and a wave solver with
its own adjoint: the three ways in which known clients use autograd.
"""

import inspect

import numpy as onp
import pytest

import autodiff.compat.autograd.numpy as np
from autodiff.compat.autograd import (
    elementwise_grad,
    grad,
    hessian,
    jacobian,
    make_jvp,
    value_and_grad,
)
from autodiff.compat.autograd.core import make_vjp
from autodiff.compat.autograd.extend import defjvp, defvjp, primitive, vspace
from autodiff.compat.autograd.misc import flatten
from autodiff.compat.autograd.numpy.numpy_vjps import unbroadcast_f
from autodiff.compat.autograd.scipy.special import gammaln
from autodiff.compat.autograd.wrap_util import unary_to_nary


class Backend:
    """What a manifold optimizer asks of a backend: gradients and Hessian products."""

    def __init__(self, cost):
        self.cost = cost
        self.argnums = list(range(len(inspect.signature(cost).parameters)))

    def gradient(self, *point):
        return grad(self.cost, argnum=self.argnums)(*point)

    def hessian_product(self, point, vectors):
        push = make_jvp(grad(self.cost, self.argnums), self.argnums)(*point)
        return push(tuple(vectors))[1]


def test_manifold_backend():
    target = onp.array([[2.0, 0.5], [0.5, -1.0]])

    def cost(u, v):
        return np.sum((u @ v.T - target) ** 2)

    rng = onp.random.default_rng(0)
    u, v, du, dv = (rng.standard_normal((2, 2)) for _ in range(4))
    backend = Backend(cost)
    by_u, by_v = backend.gradient(u, v)
    residual = u @ v.T - target
    onp.testing.assert_allclose(by_u, 2 * residual @ v)
    onp.testing.assert_allclose(by_v, 2 * residual.T @ u)
    product = backend.hessian_product((u, v), (du, dv))
    step = 1e-6
    ahead = backend.gradient(u + step * du, v + step * dv)
    behind = backend.gradient(u - step * du, v - step * dv)
    for found, a, b in zip(product, ahead, behind, strict=True):
        onp.testing.assert_allclose(found, (a - b) / (2 * step), rtol=1e-7)


def test_complex_points():
    matrix = onp.array([[2.0, 1j], [-1j, 1.0]])

    def cost(z):
        return np.real(np.conj(z) @ matrix @ z)

    z = onp.array([1 + 1j, 0.5 - 2j])
    # autograd's convention: the conjugate of the steepest ascent.
    onp.testing.assert_allclose(np.conj(grad(cost)(z)), 2 * matrix @ z)


@primitive
def log_factorial(x):
    return gammaln(x + 1)


@primitive
def harmonic(x):
    from scipy.special import digamma

    return digamma(x + 1)


@primitive
def weighted(x, w):
    return x * w


defvjp(log_factorial, lambda ans, x: unbroadcast_f(x, lambda g: g * harmonic(x)))
defvjp(
    weighted,
    lambda ans, x, w: unbroadcast_f(x, lambda g: g * w),
    lambda ans, x, w: unbroadcast_f(w, lambda g: g * x),
)


class Regression:
    """Poisson regression, its parameters a dict that `scipy.optimize` sees as a vector."""

    def __init__(self, features, counts, weights):
        self.features, self.counts, self.weights = features, counts, weights

    def log_likelihood(self, params):
        rate = np.exp(np.dot(self.features, params["slopes"]) + params["intercept"])
        terms = self.counts * np.log(rate) - rate - log_factorial(self.counts)
        return np.mean(weighted(terms, self.weights))

    def fit(self):
        from scipy.optimize import minimize

        start, unflatten = flatten({"slopes": onp.zeros(2), "intercept": 0.0})

        def loss(vector):
            return -self.log_likelihood(unflatten(vector))

        found = minimize(value_and_grad(loss), start, jac=True, method="BFGS")
        self.params = unflatten(found.x)
        self.errors = onp.sqrt(onp.diag(onp.linalg.inv(hessian(loss)(found.x))))
        return self


def test_regression():
    rng = onp.random.default_rng(0)
    features = rng.standard_normal((200, 2))
    counts = rng.poisson(onp.exp(features @ [0.5, -0.25] + 1.0)).astype(float)
    model = Regression(features, counts, onp.ones((200, 1))[:, 0]).fit()
    onp.testing.assert_allclose(model.params["slopes"], [0.5, -0.25], atol=0.1)
    assert model.params["intercept"] == pytest.approx(1.0, abs=0.1)
    rate = onp.exp(features @ model.params["slopes"] + model.params["intercept"])
    design = onp.column_stack([onp.ones(200), features])
    information = design.T @ (design * rate[:, None]) / 200
    wanted = onp.sqrt(onp.diag(onp.linalg.inv(information)))
    onp.testing.assert_allclose(sorted(model.errors), sorted(wanted), rtol=1e-4)


def test_hazard_from_a_cumulative_hazard():
    def cumulative(params, times):
        return (times / params[0]) ** params[1]

    hazard = elementwise_grad(cumulative, 1)
    times = onp.array([0.5, 1.0, 2.0])
    params = onp.array([2.0, 1.5])
    wanted = 1.5 / 2.0 * (times / 2.0) ** 0.5
    onp.testing.assert_allclose(hazard(params, times), wanted)

    def log_likelihood(params, times):
        return np.sum(np.log(hazard(params, times)) - cumulative(params, times))

    step = 1e-6
    found = grad(log_likelihood)(params, times)
    for i, unit in enumerate(onp.eye(2)):
        ahead, behind = (log_likelihood(params + s * step * unit, times) for s in (1, -1))
        assert found[i] == pytest.approx((ahead - behind) / (2 * step), rel=1e-7)


def operator_of(eps):
    """Return the matrix of a small Helmholtz problem."""
    n = len(eps)
    second = (
        onp.diag(onp.full(n, -2.0)) + onp.diag(onp.ones(n - 1), 1) + onp.diag(onp.ones(n - 1), -1)
    )
    return second + onp.diag(eps + 0.1j)


@primitive
def solve(eps, source):
    return onp.linalg.solve(operator_of(eps), source)


def of_eps(field, eps, source):
    def pull(g):
        return -np.real(onp.linalg.solve(operator_of(eps).T, g) * field)

    return pull


def of_source(field, eps, source):
    return lambda g: onp.linalg.solve(operator_of(eps).T, g)


defvjp(solve, of_eps, of_source)
defjvp(solve, lambda g, field, eps, source: -onp.linalg.solve(operator_of(eps), g * field), "same")


@unary_to_nary
def numbered_jacobian(f, x):
    """Return the Jacobian as a wave solver's own operator makes it."""
    pull, ans = make_vjp(f, x)
    rows = [pull(unit) for unit in vspace(ans).standard_basis()]
    return np.reshape(np.stack(rows), vspace(ans).shape + vspace(x).shape)


def test_solver_with_its_own_adjoint():
    eps, source = onp.array([1.0, 2.0, 1.5, 0.5]), onp.array([0.0, 1.0, 0.0, 0.0])

    def intensity(eps):
        return np.abs(solve(eps, source)) ** 2

    found = numbered_jacobian(intensity)(eps)
    onp.testing.assert_allclose(found, jacobian(intensity)(eps))
    step = 1e-6
    for i, unit in enumerate(onp.eye(4)):
        wanted = (intensity(eps + step * unit) - intensity(eps - step * unit)) / (2 * step)
        onp.testing.assert_allclose(found[:, i], wanted, rtol=1e-7)
        onp.testing.assert_allclose(make_jvp(intensity)(eps)(unit)[1], wanted, rtol=1e-7)


def test_rows_of_a_jacobian_from_an_iterator():
    pull, value = make_vjp(lambda x: np.stack([x[0] * x[1], x[0] ** 2]), onp.array([2.0, 3.0]))
    rows = np.stack(map(pull, vspace(value).standard_basis()))
    onp.testing.assert_array_equal(rows, [[3.0, 2.0], [4.0, 0.0]])
