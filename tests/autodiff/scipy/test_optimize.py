"""`autodiff.scipy.optimize`: solutions against closed forms, in both modes and two orders."""

import numpy as np
import pytest
import scipy.optimize

import autodiff as ad
from autodiff.scipy import optimize

M = np.array([[3.0, 1.0], [0.5, 2.0]])
P = np.array([1.0, 2.0])


def cubic(x, m, p):
    return m @ x + 0.1 * x**3 - p


SOLVERS = {
    "root": lambda m, p: optimize.root(cubic, np.zeros(2), (m, p), tol=1e-13).x,
    "fsolve": lambda m, p: optimize.fsolve(cubic, np.zeros(2), (m, p), xtol=1e-13),
    "fixed_point": lambda m, p: optimize.fixed_point(
        lambda x, m, p: x - 0.2 * cubic(x, m, p), np.zeros(2), (m, p), 1e-13, method="iteration"
    ),
    "least_squares": lambda m, p: optimize.least_squares(
        cubic, np.zeros(2), args=(m, p), xtol=1e-15, gtol=1e-14, ftol=1e-15
    ).x,
    "minimize": lambda m, p: optimize.minimize(
        lambda x, m, p: np.sum(cubic(x, m, p) ** 2), np.zeros(2), (m, p), tol=1e-13,
        method="Newton-CG",
        jac=ad.grad(lambda x, m, p: np.sum(cubic(x, m, p) ** 2)),
        hess=ad.hessian(lambda x, m, p: np.sum(cubic(x, m, p) ** 2)),
    ).x,
    "implicit_root": lambda m, p: optimize.implicit_root(cubic, np.zeros(2), m, p),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", SOLVERS)
def test_systems(name):
    order = 1 if name in {"minimize", "least_squares"} else 2
    ad.check_grads(SOLVERS[name], (M, P), order=order, rtol=1e-5)
    x, pullback = ad.vjp(SOLVERS[name], M, P)
    jacobian = M + np.diag(0.3 * x**2)
    inverse = np.linalg.inv(jacobian)
    for row in range(2):
        in_m, in_p = pullback(np.eye(2)[row])
        np.testing.assert_allclose(in_p, inverse[row], rtol=1e-7)
        np.testing.assert_allclose(in_m, -np.outer(inverse[row], x), rtol=1e-7)


SCALAR = {
    "brentq": lambda f, p: optimize.brentq(f, 0.0, 10.0, args=(p,)),
    "brenth": lambda f, p: optimize.brenth(f, 0.0, 10.0, (p,)),
    "bisect": lambda f, p: optimize.bisect(f, 0.0, 10.0, (p,), xtol=1e-14),
    "ridder": lambda f, p: optimize.ridder(f, 0.0, 10.0, (p,)),
    "toms748": lambda f, p: optimize.toms748(f, 0.0, 10.0, (p,)),
    "newton": lambda f, p: optimize.newton(f, 1.0, args=(p,), tol=1e-14),
    "full_output": lambda f, p: optimize.brentq(f, 0.0, 10.0, (p,), full_output=True)[0],
    "root_scalar": lambda f, p: optimize.root_scalar(f, (p,), bracket=(0.0, 10.0)).root,
    "single argument": lambda f, p: optimize.root(f, 1.0, args=p, tol=1e-14).x[0],
    "implicit_root": lambda f, p: optimize.implicit_root(f, 1.0, p),
}


@pytest.mark.parametrize("name", SCALAR)
def test_square_root_as_a_root(name):
    def call(p):
        return SCALAR[name](lambda x, p: x**2 - p, p)

    np.testing.assert_allclose(ad.grad(call)(4.0), 0.25, rtol=1e-9)
    np.testing.assert_allclose(ad.jvp(call, (4.0,), (2.0,))[1], 0.5, rtol=1e-9)
    np.testing.assert_allclose(ad.grad(ad.grad(call))(4.0), -1 / 32, rtol=1e-9)
    np.testing.assert_allclose(ad.jvp(ad.grad(call), (4.0,), (1.0,))[1], -1 / 32, rtol=1e-9)
    np.testing.assert_allclose(ad.grad(ad.grad(ad.grad(call)))(4.0), 3 / 256, rtol=1e-8)


def test_newton_of_many_numbers():
    def call(p):
        return optimize.newton(lambda x, p: x**2 - p, np.ones(3), args=(p,), tol=1e-14)

    p = np.array([1.0, 4.0, 9.0])
    np.testing.assert_allclose(ad.jacobian(call)(p), np.diag(0.5 / np.sqrt(p)), atol=1e-12)


def test_a_derivative_given_along():
    def with_slope(x, p):
        return x**2 - p, 2 * x

    def call(p):
        return optimize.root_scalar(with_slope, (p,), fprime=True, x0=1.0).root

    np.testing.assert_allclose(ad.grad(call)(4.0), 0.25, rtol=1e-9)


def test_the_value_at_a_minimum_follows_the_arguments():
    def smallest(p):
        result = optimize.minimize(
            lambda x, p: np.sum((x - p) ** 2) + p[0] * p[1], np.zeros(2), (p,), tol=1e-10
        )
        return result.fun

    def smallest_of_one(p):
        return optimize.minimize_scalar(lambda x, p: (x - p) ** 2 + p**3, args=(p,)).fun

    np.testing.assert_allclose(ad.grad(smallest)(P), P[::-1], rtol=1e-6)
    np.testing.assert_allclose(ad.hessian(smallest)(P), [[0.0, 1.0], [1.0, 0.0]], atol=1e-6)
    np.testing.assert_allclose(ad.grad(smallest_of_one)(2.0), 12.0, rtol=1e-6)
    np.testing.assert_allclose(ad.grad(ad.grad(smallest_of_one))(2.0), 12.0, rtol=1e-6)


OF_ONE_NUMBER = {
    "brent": lambda f, p: optimize.brent(f, args=(p,)),
    "golden": lambda f, p: optimize.golden(f, args=(p,), brack=(0.0, 1.0, 5.0)),
    "fminbound": lambda f, p: optimize.fminbound(f, 0.0, 5.0, args=(p,)),
    "full_output": lambda f, p: optimize.fminbound(f, 0.0, 5.0, args=(p,), full_output=True)[0],
    "leastsq": lambda f, p: optimize.leastsq(lambda x, p: np.stack([x[0] - p**2]), [1.0], p)[0][0],
}


@pytest.mark.parametrize("name", OF_ONE_NUMBER)
def test_older_names_of_minimizers_of_one_number(name):
    def found(p):
        return OF_ONE_NUMBER[name](lambda x, p: (x - p**2) ** 2, p)

    np.testing.assert_allclose(ad.grad(found)(1.5), 3.0, rtol=1e-9)
    np.testing.assert_allclose(ad.grad(ad.grad(found))(1.5), 2.0, rtol=1e-9)
    if "bound" in name:
        with pytest.raises(ValueError, match=r"fminbound found the minimum .* at a bound"):
            ad.grad(found)(3.0)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["fmin", "fmin_bfgs", "fmin_cg", "fmin_ncg", "fmin_powell"])
def test_older_names_of_minimizers(name):
    def total(x, p):
        return np.sum((x - p**2) ** 2)

    def found(p):
        slope = {"fprime": ad.grad(total)} if name == "fmin_ncg" else {}
        result = getattr(optimize, name)(
            total, np.zeros(2), args=(p,), disp=False, full_output=True, **slope
        )
        return result[0]

    np.testing.assert_allclose(ad.jacobian(found)(P), np.diag(2 * P), rtol=1e-9)


def test_squares_that_remain():
    t = np.linspace(0.0, 1.0, 5)

    def fit(y):
        return optimize.least_squares(lambda x, y: x[0] + x[1] * t - y, np.zeros(2), args=(y,))

    y = np.array([1.0, 0.5, 2.0, 1.5, 3.0])
    design = np.stack([np.ones(5), t], 1)
    pseudo = np.linalg.pinv(design)
    np.testing.assert_allclose(ad.jacobian(lambda y: fit(y).x)(y), pseudo, atol=1e-7)
    residual = design @ (pseudo @ y) - y
    np.testing.assert_allclose(ad.grad(lambda y: fit(y).cost)(y), -residual, atol=1e-6)


def test_variables_of_the_user():
    p = ad.Variable(P)
    np.sum(SOLVERS["implicit_root"](M, p)).backward()
    wanted = ad.vjp(lambda p: SOLVERS["implicit_root"](M, p), P)[1](np.ones(2))[0]
    np.testing.assert_allclose(p.grad, wanted, rtol=1e-12)


def test_complex_roots():
    def call(p):
        return optimize.newton(lambda z, p: z**2 + p, 1.0j, args=(p,), tol=1e-14)

    np.testing.assert_allclose(ad.grad(lambda p: np.imag(call(p)))(4.0), 0.25, rtol=1e-9)


def test_containers():
    def f(x, params):
        return {"u": params["a"] * x["u"] - x["v"], "v": x["u"] + x["v"] ** 3 - params["b"]}

    def total(params):
        x = optimize.implicit_root(f, {"u": np.ones(2), "v": np.zeros(2)}, params)
        return np.sum(x["u"] * x["v"])

    params = {"a": np.array([1.0, 2.0]), "b": 3.0}
    found = ad.grad(total)(params)
    step = 1e-5
    change = total({**params, "b": 3.0 + step}) - total({**params, "b": 3.0 - step})
    np.testing.assert_allclose(found["b"], change / (2 * step), rtol=1e-6)


def test_the_start_has_no_derivative():
    def call(start, p):
        return optimize.implicit_root(lambda x, p: x**2 - p, start, p)

    assert ad.grad(call, argnums=(0, 1))(1.0, 4.0) == pytest.approx((0.0, 0.25))


def test_hidden_tracked_values_are_an_error():
    calls = (
        lambda p: optimize.brentq(lambda x: x**2 - p, 0.0, 10.0),
        lambda p: optimize.minimize(lambda x: np.sum((x - p) ** 2), np.zeros(2)).x[0],
        lambda p: optimize.implicit_root(lambda x: x**2 - p, 1.0),
    )
    for call in calls:
        with pytest.raises(TypeError, match="pass it through args="):
            ad.grad(call)(4.0)


def test_refusals():
    def total(x, p):
        return np.sum((x - p) ** 2)

    def bounded(p):
        return optimize.minimize(total, np.zeros(2), (p,), bounds=[(0, 1), (0, 1)]).x[0]

    def at_the_end(p):
        return optimize.minimize_scalar(total, args=(p,), bounds=(0, 1), method="bounded").x

    def robust(p):
        return optimize.least_squares(lambda x, p: x - p, [0.0], args=(p,), loss="cauchy").x[0]

    with pytest.raises(TypeError, match="bounds"):
        ad.grad(bounded)(0.5)
    with pytest.raises(ValueError, match="at a bound"):
        ad.grad(at_the_end)(2.0)
    assert ad.grad(at_the_end)(0.5) == pytest.approx(1.0)
    with pytest.raises(TypeError, match="least_squares"):
        ad.grad(lambda y: optimize.curve_fit(lambda x, a: a * x, P, y)[0][0])(P)
    with pytest.raises(TypeError, match="loss"):
        ad.grad(robust)(0.5)


def test_no_derivative_where_nothing_was_found():
    def none(p):
        return optimize.root(lambda x, p: x**2 + p, 1.0, (p,)).x[0]

    with pytest.raises(RuntimeError, match="not found"), np.errstate(all="ignore"):
        ad.grad(none)(1.0)

    def not_found(p):
        return optimize.fsolve(lambda x, p: x**2 + p, [1.0], (p,), full_output=True)[0][0]

    def stopped(p):
        settings = {"full_output": True, "disp": False, "maxiter": 3}
        return optimize.newton(lambda x, p: x**2 + p, 1.0, args=(p,), **settings)[0]

    for call in (not_found, stopped):
        with pytest.raises(RuntimeError, match="not found"):
            ad.grad(call)(1.0)

    def double(p):
        return optimize.brentq(lambda x, p: (x - p) ** 3, 0.0, 2.0, (p,))

    with pytest.raises(np.linalg.LinAlgError, match="singular at their solution"):
        ad.grad(double)(1.0)

    def line(p):
        return optimize.root(lambda x, p: np.stack([x[0] - p, x[0] - p]), [0.0, 0.0], (p,)).x[0]

    with pytest.raises((np.linalg.LinAlgError, RuntimeError)):
        ad.grad(line)(1.0)


def test_plain_values_get_scipys_own_result():
    ours = optimize.minimize(lambda x, p: np.sum((x - p) ** 2), np.zeros(2), (P,))
    theirs = scipy.optimize.minimize(lambda x, p: np.sum((x - p) ** 2), np.zeros(2), (P,))
    np.testing.assert_array_equal(ours.x, theirs.x)
    assert optimize.linprog is scipy.optimize.linprog
    assert "linprog" in dir(optimize)
