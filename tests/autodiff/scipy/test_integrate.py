"""`autodiff.scipy.integrate`: differential equations against exponentials, and samples."""

import numpy as np
import pytest
import scipy.integrate
import scipy.linalg

import autodiff as ad
from autodiff.scipy import integrate

A = np.array([[-0.5, 1.0], [-1.2, -0.3]])
Y0 = np.array([1.0, 0.5])
T = np.array([0.0, 0.7, 1.5])
CLOSE = {"rtol": 1e-11, "atol": 1e-12}


def by_odeint(y0, t, a):
    return integrate.odeint(lambda y, t, a: a @ y, y0, t, (a,), **CLOSE)


def by_solve_ivp(y0, t, a, method="RK45"):
    span = (t[0], t[-1])
    result = integrate.solve_ivp(
        lambda t, y, a: a @ y, span, y0, method, t, args=(a,), rtol=1e-10, atol=1e-12
    )
    return result.y.T


def exact(y0, t, a):
    import autodiff.scipy.linalg as sla

    return np.stack([sla.expm(a * (t[i] - t[0])) @ y0 for i in range(len(t))])


SOLVERS = [by_odeint, by_solve_ivp]


@pytest.mark.parametrize("solve", SOLVERS)
def test_linear_equations_against_the_exponential(solve):
    weights = np.random.default_rng(0).standard_normal((3, 2))
    value, pullback = ad.vjp(solve, Y0, T, A)
    wanted, exact_pullback = ad.vjp(exact, Y0, T, A)
    np.testing.assert_allclose(value, wanted, rtol=1e-8)
    for ours, theirs in zip(pullback(weights), exact_pullback(weights), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-8)
    tangents = [np.random.default_rng(1).standard_normal(x.shape) for x in (Y0, T, A)]
    for point in range(3):  # in each argument alone, then in all
        only = [t if i == point else np.zeros_like(t) for i, t in enumerate(tangents)]
        ours = ad.jvp(solve, (Y0, T, A), only)[1]
        np.testing.assert_allclose(ours, ad.jvp(exact, (Y0, T, A), only)[1], rtol=1e-7, atol=1e-8)
    ours = ad.jvp(solve, (Y0, T, A), tangents)[1]
    np.testing.assert_allclose(ours, ad.jvp(exact, (Y0, T, A), tangents)[1], rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize("outer", [ad.jacobian, "forward"], ids=["reverse", "forward"])
def test_second_derivatives(solve, outer):
    def end(solver):
        return lambda rate: solver(Y0, T[:2], A * rate)[-1, 0]

    if outer == "forward":
        ours = ad.jvp(ad.grad(end(solve)), (0.8,), (1.0,))[1]
    else:
        ours = outer(ad.grad(end(solve)))(0.8)
    np.testing.assert_allclose(ours, ad.grad(ad.grad(end(exact)))(0.8), rtol=1e-6)


def test_an_equation_with_time_and_backward_times():
    def f(t, y, k):
        return [-k * t * y[0]]

    def end(y0, t0, t1, k):
        times = np.stack([t0, t1])
        return integrate.odeint(f, y0, times, (k,), tfirst=True, **CLOSE)[-1, 0]

    def wanted(y0, t0, t1, k):
        return y0[0] * np.exp(-k * (t1**2 - t0**2) / 2)

    for t0, t1 in ((0.5, 1.5), (1.5, 0.5), (0.7, 0.7)):
        args = (np.array([2.0]), t0, t1, 0.8)
        for ours, theirs in zip(
            ad.grad(end, argnums=(0, 1, 2, 3))(*args),
            ad.grad(wanted, argnums=(0, 1, 2, 3))(*args),
            strict=True,
        ):
            np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-9)


def test_containers_of_parameters():
    def f(y, t, params, scale):
        return scale * np.tanh(params["w"] @ y + params["b"][0])

    def total(params, y0):
        return np.sum(integrate.odeint(f, y0, T, (params, 0.5), **CLOSE) ** 2)

    params = {"w": A, "b": (np.array([0.1, -0.2]), 3.0)}
    found = ad.grad(total)(params, Y0)
    step = 1e-5
    for index in np.ndindex(2, 2):
        unit = np.zeros((2, 2))
        unit[index] = step
        change = total({**params, "w": A + unit}, Y0) - total({**params, "w": A - unit}, Y0)
        np.testing.assert_allclose(found["w"][index], change / (2 * step), rtol=1e-5, atol=1e-7)
    assert found["b"][1] == 0.0


@pytest.mark.parametrize("method", ["RK23", "DOP853", "Radau", "BDF", "LSODA"])
def test_methods(method):
    def end(solver):
        return lambda a: np.sum(solver(Y0, T[:2], a)[-1])

    def solve(y0, t, a):
        result = integrate.solve_ivp(
            lambda t, y, a: a @ y, (t[0], t[-1]), y0, method, args=(a,), rtol=1e-6, atol=1e-8
        )
        return result.y.T

    ours = ad.grad(end(solve))(A)
    np.testing.assert_allclose(ours, ad.grad(end(exact))(A), rtol=1e-3)


def robertson(t, y, k):
    slow, fast = k * y[0] - 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
    return [-slow, slow - fast, fast]


def test_stiff_equations():
    def end(k):
        options = {"method": "Radau", "rtol": 1e-6, "atol": 1e-9}
        return integrate.solve_ivp(robertson, (0.0, 40.0), [1.0, 0.0, 0.0], args=(k,), **options)

    found = ad.grad(lambda k: end(k).y[0, -1])(0.04)
    change = ad.jvp(lambda k: end(k).y[0, -1], (0.04,), (1.0,))[1]
    np.testing.assert_allclose([found, change], -4.24756, rtol=1e-4)


@pytest.mark.parametrize("by_odeint", [True, False])
def test_an_equation_that_forgets_its_start(by_odeint):
    def f(t, y, k):
        return k * (k - y)

    def end(y0, k):
        if by_odeint:
            return integrate.odeint(f, [y0], [0.0, 30.0], (k,), tfirst=True)[1, 0]
        return integrate.solve_ivp(f, (0.0, 30.0), [y0], t_eval=[30.0], args=(k,)).y[0, 0]

    np.testing.assert_allclose(ad.grad(end, argnums=(0, 1))(3.0, 1.5), [0.0, 1.0], atol=2e-3)
    reverse_over_forward = ad.grad(lambda k: ad.jvp(end, (3.0, k), (0.0, 1.0))[1])
    np.testing.assert_allclose(reverse_over_forward(1.5), 0.0, atol=0.02)
    with pytest.raises(RuntimeError, match=r"forward mode first|the equations of a derivative"):
        ad.jvp(ad.grad(end, argnums=1), (3.0, 1.5), (0.0, 1.0))


def test_solve_ivp_at_no_times():
    result = integrate.solve_ivp(lambda t, y: -y, (0.0, 1.0), ad.Variable(Y0), t_eval=[])
    assert len(result.t) == 0


def test_solve_ivp_without_times_of_output():
    def states(y0, t0, t1):
        result = integrate.solve_ivp(lambda t, y: -y, (t0, t1), y0, **CLOSE)
        return result.t, result.y

    args = (np.array([2.0]), 0.0, 1.0)
    (t, y), pullback = ad.vjp(states, *args)
    plain = scipy.integrate.solve_ivp(lambda t, y: -y, (0.0, 1.0), [2.0], **CLOSE)
    np.testing.assert_array_equal(t, plain.t)
    np.testing.assert_array_equal(y, plain.y)
    last = np.zeros(y.shape)
    last[0, -1] = 1.0
    found = pullback((np.zeros(t.shape), last))
    np.testing.assert_allclose(found[0], [np.exp(-1.0)], rtol=1e-8)
    np.testing.assert_allclose(found[1:], [2.0 * np.exp(-1.0), -2.0 * np.exp(-1.0)], rtol=1e-8)


def test_options_and_full_output():
    def end(k):
        found, info = integrate.odeint(
            lambda y, t, k: -k * y, [1.0, 2.0], [0.0, 2.0], (k,), full_output=True,
            rtol=[1e-9, 1e-10], atol=[1e-11, 1e-11], Dfun=lambda y, t, k: -k.item() * np.eye(2)
            if isinstance(k, np.ndarray) else -k * np.eye(2),
        )  # fmt: skip
        assert "nst" in info
        return found[1, 1]

    np.testing.assert_allclose(ad.grad(end)(0.5), -4.0 * np.exp(-1.0), rtol=1e-7)


def test_variables_of_the_user_and_no_grad():
    k = ad.Variable(0.5)
    y = integrate.odeint(lambda y, t, k: -k * y, [1.0], [0.0, 1.0], (k,), **CLOSE)
    np.sum(y).backward()
    np.testing.assert_allclose(k.grad, -np.exp(-0.5), rtol=1e-8)
    with ad.no_grad():
        hidden = integrate.odeint(lambda y, t: -k * y, [1.0], [0.0, 1.0], **CLOSE)
    np.testing.assert_allclose(hidden[1], np.exp(-0.5), rtol=1e-8)


def test_complex_states():
    def end(frequency, damping):
        result = integrate.solve_ivp(
            lambda t, y, f, d: (1j * f - d) * y, (0.0, 2.0), np.array([1.0 + 0.5j]),
            args=(frequency, damping), **CLOSE,
        )  # fmt: skip
        return np.real(result.y[0, -1])

    def wanted(frequency, damping):
        return np.real((1.0 + 0.5j) * np.exp((1j * frequency - damping) * 2.0))

    ours, theirs = (ad.grad(f, argnums=(0, 1))(1.3, 0.2) for f in (end, wanted))
    np.testing.assert_allclose(ours, theirs, rtol=1e-8)
    ours, theirs = (ad.jvp(f, (1.3, 0.2), (1.0, 2.0))[1] for f in (end, wanted))
    np.testing.assert_allclose(ours, theirs, rtol=1e-8)


def test_an_equation_that_hides_a_tracked_value_is_an_error():
    def by_closure(k):
        return integrate.odeint(lambda y, t: -k * y, [1.0], [0.0, 1.0])[1, 0]

    def in_a_list(k):
        return integrate.solve_ivp(lambda t, y: [-k * y[0]], (0.0, 1.0), [1.0]).y[0, -1]

    for hidden in (by_closure, in_a_list):
        with pytest.raises(TypeError, match="pass it through args="):
            ad.grad(hidden)(0.5)
        assert hidden(0.5) == pytest.approx(np.exp(-0.5), rel=1e-3)


def test_events_and_dense_output_are_refused():
    def end(y0, **options):
        return integrate.solve_ivp(lambda t, y: -y, (0.0, 1.0), y0, **options).y[0, -1]

    for options in ({"dense_output": True}, {"events": lambda t, y: y[0] - 0.5}):
        with pytest.raises(TypeError, match="t_eval"):
            ad.grad(end)(Y0, **options)


def test_plain_values_get_scipys_own_result():
    def f(y, t):
        return -y

    np.testing.assert_array_equal(integrate.odeint(f, Y0, T), scipy.integrate.odeint(f, Y0, T))
    assert integrate.quad is scipy.integrate.quad


SAMPLES = np.random.default_rng(0).uniform(-1.0, 1.0, (2, 6))
PLACES = np.array([0.0, 0.5, 0.7, 1.5, 2.0, 2.2])


@pytest.mark.parametrize("count", [1, 2, 5, 6])
@pytest.mark.parametrize("rule", ["trapezoid", "simpson", "cumulative_trapezoid"])
def test_samples(check_rule, rule, count):
    if count == 1 and rule == "cumulative_trapezoid":
        count = 2
    function = getattr(integrate, rule)
    y, x = SAMPLES[:, :count], PLACES[:count]
    check_rule(lambda y, x: function(y, x), y, x, complex=False)
    check_rule(lambda y: function(y.T, dx=0.5, axis=0), y)
    if count > 1:
        check_rule(lambda y, dx: function(y, dx=dx), y[0], 0.5, complex=False, single=False)


@pytest.mark.parametrize("x", [[0, 0, 1, 2.5], [0, 1, 2.5, 2.5], [0, 1, 1]], ids=str)
def test_simpson_at_equal_places(x):
    y = np.arange(1.0, len(x) + 1.0)
    value, pullback = ad.vjp(lambda y: integrate.simpson(y, x), y)
    np.testing.assert_allclose(value, scipy.integrate.simpson(y, x), rtol=1e-14)
    np.testing.assert_allclose(pullback(1.0)[0] @ y, value, rtol=1e-14)


def test_samples_have_no_derivative_before_the_first():
    found = ad.jacobian(lambda y: integrate.cumulative_trapezoid(y, initial=0))(np.ones(3))
    np.testing.assert_array_equal(found, [[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 1.0, 0.5]])
