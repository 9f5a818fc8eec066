"""What the functions of `autodiff.scipy` take: lists and arrays that hold tracked values."""

import numpy as np
import pytest

import autodiff as ad
import autodiff.numpy as anp
from autodiff.scipy import integrate, interpolate, linalg, optimize, signal, special, stats


def filled(x, y):
    """Return a matrix that tracked values were assigned to."""
    matrix = anp.zeros((2, 2))
    matrix[0, 0], matrix[0, 1], matrix[1, 1] = x, 0.5, y
    return matrix


MATRICES = {
    "list": lambda x, y: [[x, 0.5], [0.0, y]],
    "tuple": lambda x, y: ((x, 0.5), (0.0, y)),
    "assigned": filled,
}

CALLS = {
    "solve": lambda m: linalg.solve(m, [1.0, 2.0]),
    "cho_solve": lambda m: linalg.cho_solve((m, False), [1.0, 2.0]),
    "expm": linalg.expm,
    "norm": lambda m: linalg.norm(a=m),
    "logsumexp": lambda m: special.logsumexp(m, axis=0),
    "lfilter": lambda m: signal.lfilter([1.0], [1.0, 0.5], m),
    "trapezoid": lambda m: integrate.trapezoid(m, [0.0, 2.0]),
    "spline": lambda m: interpolate.CubicSpline([0.0, 1.0], m)(0.3),
    "places": lambda m: interpolate.CubicSpline([0.0, 1.0, 2.0], [0.0, 1.0, 0.5])(m),
    "logpdf": lambda m: stats.multivariate_normal.logpdf(m, [0.0, 1.0]),
    "odeint": lambda m: integrate.odeint(
        lambda y, t, m: np.matmul(anp.array(m), y), [1.0, 2.0], [0.0, 1.0], (m,)
    ),
    "solve_ivp": lambda m: integrate.solve_ivp(lambda t, y: -y, (0.0, 1.0), anp.array(m)[0]).y,
    "root": lambda m: (
        optimize.root(lambda x, m: np.matmul(anp.array(m), x) - 1.0, [0.0, 0.0], (m,)).x
    ),
    "implicit_root": lambda m: optimize.implicit_root(
        lambda x, m: np.matmul(anp.array(m), x) - 1.0, np.zeros(2), m
    ),
}


@pytest.mark.parametrize("kind", MATRICES)
@pytest.mark.parametrize("name", CALLS)
def test_what_holds_tracked_values(name, kind):
    def total(x, y, make=MATRICES[kind]):
        return np.sum(CALLS[name](make(x, y)))

    def of_array(x, y):
        matrix = np.array([[1.0, 0.0], [0.0, 0.0]]) * x + np.array([[0.0, 0.0], [0.0, 1.0]]) * y
        return np.sum(CALLS[name](matrix + np.array([[0.0, 0.5], [0.0, 0.0]])))

    found = ad.grad(total, argnums=(0, 1))(1.5, 2.5)
    np.testing.assert_allclose(found, ad.grad(of_array, argnums=(0, 1))(1.5, 2.5), rtol=1e-6)


def test_a_function_that_fills_an_array():
    def f(y, t, rate):
        out = anp.zeros(2)
        out[0], out[1] = -rate * y[0], y[0]
        return out

    def end(rate):
        return integrate.odeint(f, [1.0, 0.0], [0.0, 2.0], (rate,))[1, 0]

    np.testing.assert_allclose(ad.grad(end)(0.5), -2.0 * np.exp(-1.0), rtol=1e-6)
    with pytest.raises(TypeError, match="pass it through args="):
        ad.grad(lambda k: integrate.odeint(lambda y, t: f(y, t, k), [1.0, 0.0], [0.0, 2.0])[1, 0])(
            0.5
        )
