"""SciPy's own solvers, given our derivatives."""

import numpy as np
from scipy.optimize import least_squares, minimize, root

import autodiff as ad

START = np.array([-1.2, 1.0, 0.5])


def rosenbrock(v):
    return np.sum(100 * (v[1:] - v[:-1] ** 2) ** 2 + (1 - v[:-1]) ** 2)


def test_minimize():
    both = minimize(ad.value_and_grad(rosenbrock), START, jac=True, method="L-BFGS-B", tol=1e-14)
    np.testing.assert_allclose(both.x, np.ones(3), atol=1e-5)
    newton = minimize(
        rosenbrock,
        START,
        jac=ad.grad(rosenbrock),
        hessp=lambda x, v: ad.hvp(rosenbrock, x, v),
        method="Newton-CG",
        options={"xtol": 1e-10},
    )
    np.testing.assert_allclose(newton.x, np.ones(3), atol=1e-8)
    region = minimize(
        rosenbrock,
        START,
        jac=ad.grad(rosenbrock),
        hess=ad.hessian(rosenbrock),
        method="trust-exact",
    )
    np.testing.assert_allclose(region.x, np.ones(3), atol=1e-6)


def test_least_squares_and_root():
    t = np.linspace(0, 1, 9)

    def residuals(p):
        return p[0] * np.exp(-p[1] * t) - 2.0 * np.exp(-3.0 * t)

    found = least_squares(residuals, [1.0, 1.0], jac=ad.jacobian(residuals))
    np.testing.assert_allclose(found.x, [2.0, 3.0], rtol=1e-8)

    def equations(x):
        return np.stack([x[0] ** 2 + x[1] ** 2 - 1.0, x[0] - x[1]])

    found = root(equations, [1.0, 0.5], jac=ad.jacobian(equations))
    np.testing.assert_allclose(found.x, np.full(2, 0.5**0.5), rtol=1e-10)


def test_constrained_minimum():
    limit = {"type": "eq", "fun": lambda x: np.sum(x) - 1.0, "jac": ad.grad(lambda x: np.sum(x))}
    found = minimize(
        lambda x: np.sum(x**2),
        np.array([1.0, 0.0, 0.0]),
        jac=ad.grad(lambda x: np.sum(x**2)),
        constraints=[limit],
        method="SLSQP",
    )
    np.testing.assert_allclose(found.x, np.full(3, 1 / 3), atol=1e-8)
