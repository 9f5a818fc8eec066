"""`autodiff.scipy.stats`: values are SciPy's, derivatives in all parameters, edges and errors."""

import math

import mpmath
import numpy as np
import pytest
import scipy.stats

import autodiff as ad
from autodiff.scipy import stats

INF, NAN = math.inf, math.nan
CONTINUOUS = ["logpdf", "pdf", "logcdf", "cdf", "logsf", "sf"]
DISCRETE = ["logpmf", "pmf", "logcdf", "cdf", "logsf", "sf"]
WAVE = np.array([-40.0, -9.0, -2.5, -0.3, 0.0, 1e-9, 0.7, 3.0, 12.0, 40.0])
HALF_LINE = np.array([1e-300, 1e-9, 0.02, 0.7, 1.0, 2.6, 15.0, 300.0])
SHARES = np.array([1e-12, 0.01, 0.3, 0.5, 0.9, 1 - 1e-9])

# Distribution, points, and its shapes: single numbers that broadcast against the points.
GRID = {
    "norm": (WAVE, ()),
    "laplace": (WAVE, ()),
    "logistic": (WAVE, ()),
    "t": (WAVE, (np.array([[0.4], [1.0], [3.5], [1e5]]),)),
    "expon": (HALF_LINE, ()),
    "lognorm": (HALF_LINE, (np.array([[0.3], [1.0], [4.0]]),)),
    "gamma": (HALF_LINE, (np.array([[0.3], [1.0], [2.0], [40.0]]),)),
    "chi2": (HALF_LINE, (np.array([[0.6], [2.0], [4.0], [50.0]]),)),
    "beta": (SHARES, (np.array([[0.3], [1.0], [20.0]]), np.array([[2.5], [1.0], [0.5]]))),
}
COUNTS = np.array([0.0, 1.0, 2.0, 7.0, 30.0])
COUNTING = {
    "poisson": (COUNTS, (np.array([[0.1], [4.0], [60.0]]),)),
    "binom": (COUNTS, (np.array([[30.0], [100.0]]), np.array([[0.01], [0.6]]))),
}
EVERY = [(name, method) for name in GRID for method in CONTINUOUS] + [
    (name, method) for name in COUNTING for method in DISCRETE
]


def followed(function, *args):
    """Return the plain value of a function of tracked values."""
    out = function(*map(ad.Variable, args))
    return out.value if isinstance(out, ad.Variable) else out


def point_and_shapes(name, method):
    """Return arguments of a method: as the grid has them, constants where they must be."""
    x, shapes = (GRID | COUNTING)[name]
    return x, shapes, getattr(stats, name), getattr(scipy.stats, name)


# Places of whole numbers, and of shapes in which probabilities have no second derivative.
WHOLE = {"poisson": {0, 2}, "binom": {0, 1, 3}}
ONCE = {"t": {1}, "gamma": {1}, "chi2": {1}, "beta": {1, 2}}


def split(name, method, args, fixed=frozenset()):
    """Return the differentiated arguments, and the function of them."""
    fixed = fixed | WHOLE.get(name, set())
    free = [arg for i, arg in enumerate(args) if i not in fixed]

    def call(*given):
        given = iter(given)
        whole = [arg if i in fixed else next(given) for i, arg in enumerate(args)]
        return getattr(getattr(stats, name), method)(*whole)

    return free, call


@pytest.mark.parametrize(("name", "method"), EVERY)
def test_values_are_those_of_scipy(name, method):
    x, shapes, _, original = point_and_shapes(name, method)
    scale = (0.5, 3.0) if name in GRID else (2.0,)
    args = (x * (scale[1] if name in GRID else 1.0) + scale[0], *shapes, *scale)
    with np.errstate(all="ignore"):
        wanted = getattr(original, method)(*args)
        free, call = split(name, method, args)
        found = followed(call, *free)
    # Where SciPy's logarithm of a probability has run out of digits, ours has more.
    digits = np.isfinite(wanted) & (
        (np.abs(wanted) > 1e-4) if method[:4] in ("logc", "logs") else True
    )
    assert found.shape == wanted.shape
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found[digits], wanted[digits], rtol=2e-12)
    assert not np.isnan(found).any()


@pytest.mark.parametrize(("name", "method"), EVERY)
def test_derivatives(check_rule, name, method):
    rng = np.random.default_rng(0)
    if name in COUNTING:
        shapes = {"poisson": (3.3,), "binom": (9, 0.4)}[name]
        args = [np.array([0.0, 2.0, 5.0]), *shapes]
    else:
        shapes = {"beta": (2.3, 1.7), "lognorm": (0.6,)}.get(name, (3.2,))
        shapes = shapes[: len(GRID[name][1])]
        points = {"beta": rng.uniform(0.2, 0.8, 4)}.get(name, rng.uniform(0.5, 2.0, 4))
        args = [0.2 + 1.4 * points, *shapes, 0.2, 1.4]
    once = ONCE.get(name, set()) if not method.endswith("pdf") else set()
    free, call = split(name, method, args, once)
    check_rule(call, *free, complex=False, single=False)
    if once:
        free, call = split(name, method, args)
        check_rule(call, *free, order=1, complex=False, single=False)


@pytest.mark.parametrize("name", ["norm", "t", "gamma", "beta", "poisson"])
def test_arguments_broadcast(check_rule, name):
    shapes = {"norm": (), "beta": (np.array([2.0, 3.0, 2.5]), 1.5)}.get(
        name, (np.array([2.0, 3.0, 2.5]),)
    )
    if name == "poisson":
        args = [np.array([[0.0], [3.0]]), *shapes]
    else:
        args = [
            np.array([[0.4], [0.8]]),
            *shapes,
            np.array([[0.1], [0.2]]),
            np.array([1.0, 2.0, 3.0]),
        ]
    method = "logpmf" if name == "poisson" else "logpdf"
    free, call = split(name, method, args)
    check_rule(call, *free, complex=False, single=False)


def test_results_are_doubles_and_gradients_of_the_kind_of_the_argument():
    x, scale = np.float32([0.5, 1.0]), np.float32(2.0)
    value, gradients = ad.value_and_grad(
        lambda x, s: np.sum(stats.norm.logpdf(x, 0.0, s)), argnums=(0, 1)
    )(x, scale)
    assert value.dtype == np.float64
    assert value == pytest.approx(np.sum(scipy.stats.norm.logpdf(x, 0.0, 2.0)), rel=1e-15)
    assert [g.dtype for g in gradients] == [np.float32, np.float32]
    np.testing.assert_allclose(gradients[0], -x / 4, rtol=1e-7)


DENSITIES = {"logpdf": -INF, "logpmf": -INF, "pdf": 0.0, "pmf": 0.0}
OUTSIDE = [
    pytest.param("expon", (), [-1.0, -INF, INF], id="expon"),
    pytest.param("gamma", (2.0,), [-1.0, -INF, INF], id="gamma"),
    pytest.param("chi2", (3.0,), [-1.0, -INF, INF], id="chi2"),
    pytest.param("lognorm", (0.5,), [-1.0, 0.0, -INF, INF], id="lognorm"),
    pytest.param("beta", (2.0, 3.0), [-0.5, 1.5, -INF, INF], id="beta"),
    pytest.param("poisson", (2.0,), [-1.0, 1.5, -INF, INF], id="poisson"),
    pytest.param("binom", (4, 0.3), [-1.0, 1.5, 7.0, -INF, INF], id="binom"),
]


@pytest.mark.parametrize("method", range(6))
@pytest.mark.parametrize(("name", "shapes", "points"), OUTSIDE)
def test_outside_the_support(name, shapes, points, method):
    method = (DISCRETE if name in COUNTING else CONTINUOUS)[method]
    if method not in ("logpmf", "pmf"):
        points = [point for point in points if point != 1.5 or name == "beta"]
    args = [np.array(points), *shapes, *(() if name in COUNTING else (0.0, 1.0))]
    free, call = split(name, method, args)
    with np.errstate(all="ignore"):
        wanted = getattr(getattr(scipy.stats, name), method)(*args)
    if method in DENSITIES:  # some of SciPy's are NaN at infinity
        wanted = np.full_like(wanted, DENSITIES[method])
    np.testing.assert_array_equal(followed(call, *free), wanted)
    for gradient in ad.vjp(call, *free)[1](np.ones(len(points))):
        np.testing.assert_array_equal(gradient, np.zeros_like(gradient))
    tangent = ad.jvp(call, free, [np.ones_like(arg) for arg in free])[1]
    np.testing.assert_array_equal(tangent, np.zeros(len(points)))


@pytest.mark.parametrize(
    ("call", "found"),
    [
        pytest.param(lambda: ad.grad(stats.expon.pdf)(0.0), -1.0, id="expon.pdf"),
        pytest.param(lambda: ad.grad(stats.expon.cdf)(0.0), 1.0, id="expon.cdf"),
        pytest.param(lambda: ad.grad(stats.gamma.pdf)(0.0, 2.0), 1.0, id="gamma.pdf, a=2"),
        pytest.param(lambda: ad.grad(stats.gamma.pdf)(0.0, 1.0), -1.0, id="gamma.pdf, a=1"),
        pytest.param(lambda: ad.grad(stats.gamma.logpdf)(0.0, 1.0), -1.0, id="gamma.logpdf, a=1"),
        pytest.param(lambda: ad.grad(stats.gamma.pdf)(0.0, 3.0), 0.0, id="gamma.pdf, a=3"),
        pytest.param(lambda: ad.grad(stats.gamma.pdf, 1)(0.0, 2.0), 0.0, id="gamma.pdf in a"),
        pytest.param(lambda: ad.grad(stats.gamma.cdf, 1)(0.0, 2.0), 0.0, id="gamma.cdf in a"),
        pytest.param(lambda: ad.grad(stats.gamma.sf, 1)(0.0, 0.5), 0.0, id="gamma.sf in a < 1"),
        pytest.param(lambda: ad.grad(stats.beta.pdf, 2)(1.0, 2.0, 3.0), 0.0, id="beta.pdf in b"),
        pytest.param(lambda: ad.grad(stats.beta.cdf, 1)(0.0, 2.0, 3.0), 0.0, id="beta.cdf in a"),
        pytest.param(lambda: ad.grad(stats.beta.cdf, 2)(1.0, 2.0, 3.0), 0.0, id="beta.cdf in b"),
        pytest.param(
            lambda: ad.grad(ad.grad(stats.gamma.cdf, 1))(0.0, 2.0), 0.0, id="gamma.cdf in a and x"
        ),
        pytest.param(
            lambda: ad.grad(ad.grad(stats.beta.cdf, 2))(1.0, 2.0, 3.0), 0.0, id="beta.cdf in b, x"
        ),
        pytest.param(lambda: ad.grad(stats.t.cdf, 1)(0.0, 3.0), 0.0, id="t.cdf in df at 0"),
        pytest.param(lambda: ad.grad(stats.t.cdf, 1)(0.5, INF), 0.0, id="t.cdf, df=inf"),
        pytest.param(lambda: ad.grad(stats.chi2.pdf)(0.0, 4.0), 0.25, id="chi2.pdf"),
        pytest.param(lambda: ad.grad(stats.beta.pdf)(0.0, 2.0, 1.0), 2.0, id="beta.pdf at 0"),
        pytest.param(lambda: ad.grad(stats.beta.pdf)(1.0, 1.0, 2.0), -2.0, id="beta.pdf at 1"),
        pytest.param(lambda: ad.grad(stats.poisson.pmf, 1)(0, 0.0), -1.0, id="poisson.pmf, k=0"),
        pytest.param(lambda: ad.grad(stats.poisson.pmf, 1)(1, 0.0), 1.0, id="poisson.pmf, k=1"),
        pytest.param(lambda: ad.grad(stats.poisson.pmf, 1)(2, 0.0), 0.0, id="poisson.pmf, k=2"),
        pytest.param(
            lambda: ad.grad(ad.grad(stats.poisson.pmf, 1), 1)(2, 0.0), 1.0, id="poisson.pmf twice"
        ),
        pytest.param(lambda: ad.grad(stats.poisson.logpmf, 1)(0, 0.0), -1.0, id="poisson.logpmf"),
        pytest.param(lambda: ad.grad(stats.binom.pmf, 2)(1, 3, 0.0), 3.0, id="binom.pmf at 0"),
        pytest.param(lambda: ad.grad(stats.binom.pmf, 2)(2, 3, 1.0), -3.0, id="binom.pmf at 1"),
        pytest.param(lambda: ad.grad(stats.binom.logpmf, 2)(0, 3, 0.0), -3.0, id="binom.logpmf"),
        pytest.param(lambda: ad.grad(stats.laplace.logpdf)(0.0), 0.0, id="laplace.logpdf"),
        pytest.param(lambda: ad.grad(stats.laplace.cdf)(0.0), 0.5, id="laplace.cdf"),
        pytest.param(lambda: ad.grad(stats.laplace.sf)(0.0), -0.5, id="laplace.sf"),
        pytest.param(lambda: ad.grad(stats.logistic.logpdf)(0.0), 0.0, id="logistic.logpdf"),
        pytest.param(
            lambda: ad.grad(ad.grad(stats.logistic.logpdf))(0.0), -0.5, id="logistic.logpdf twice"
        ),
        pytest.param(
            lambda: ad.grad(stats.logistic.logpdf)(1e-12), -5e-13, id="logistic.logpdf near 0"
        ),
        pytest.param(lambda: ad.grad(stats.norm.logcdf)(-50.0), 50.019984, id="norm.logcdf"),
        pytest.param(lambda: ad.grad(stats.norm.logsf)(50.0), -50.019984, id="norm.logsf"),
        pytest.param(lambda: ad.grad(stats.logistic.logsf)(800.0), -1.0, id="logistic.logsf"),
        pytest.param(lambda: ad.grad(stats.laplace.logcdf)(-800.0), 1.0, id="laplace.logcdf"),
        pytest.param(lambda: ad.grad(stats.t.logpdf, 1)(0.5, INF), 0.0, id="t.logpdf, df=inf"),
        pytest.param(lambda: ad.grad(stats.t.logpdf)(0.5, INF), -0.5, id="t.logpdf of a normal"),
    ],
)
def test_special_points(call, found):
    assert call() == pytest.approx(found, rel=1e-7, abs=0.0)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        pytest.param("norm", (1.0, 0.0, -1.0), id="scale < 0"),
        pytest.param("norm", (1.0, 0.0, 0.0), id="scale = 0"),
        pytest.param("norm", (NAN, 0.0, 1.0), id="x is NaN"),
        pytest.param("gamma", (1.0, -1.0), id="a < 0"),
        pytest.param("beta", (0.5, 1.0, 0.0), id="b = 0"),
        pytest.param("t", (0.5, -3.0), id="df < 0"),
    ],
)
@pytest.mark.parametrize("method", CONTINUOUS)
def test_invalid_parameters(name, args, method):
    with np.errstate(all="ignore"):
        assert math.isnan(getattr(getattr(scipy.stats, name), method)(*args))
    free, call = split(name, method, args)
    assert math.isnan(followed(call, *free))


@pytest.mark.parametrize(("name", "args"), [("poisson", (2, -1.0)), ("binom", (2, 3.5, 0.5))])
@pytest.mark.parametrize("method", DISCRETE)
def test_invalid_parameters_of_counts(name, args, method):
    with np.errstate(all="ignore"):
        assert math.isnan(getattr(getattr(scipy.stats, name), method)(*args))
    free, call = split(name, method, args)
    assert math.isnan(followed(call, *free))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda v: stats.poisson.logpmf(v, 2.0), r"poisson.logpmf has no derivative in k: it is"),
        (lambda v: stats.poisson.pmf(1, 2.0, v), r"poisson.pmf has no derivative in loc: it is"),
        (lambda v: stats.binom.pmf(1, v, 0.5), r"binom.pmf has no derivative in n: it is"),
        (lambda v: stats.norm.pdf(v, 0, 1, 2), r"norm.pdf takes the point, then loc, scale"),
        (lambda v: stats.norm.pdf(v, 0, loc=1), r"norm.pdf takes the point, then loc, scale"),
        (lambda v: stats.norm.pdf(v, df=1), r"norm.pdf takes the point, then loc, scale"),
        (lambda v: stats.gamma.pdf(v), r"gamma.pdf takes the point, then a, loc, scale"),
        (lambda v: stats.multivariate_normal.cdf(v), r"multivariate_normal.* SciPy integrates it"),
        (lambda v: stats.norm.ppf(v), r"tracked"),
        (lambda v: scipy.stats.norm.logpdf(v), r"tracked"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(TypeError, match=message):
        call(ad.Variable(2.0))


def of_chi2(df, x):
    return mpmath.gammainc(df / 2, x / 2, mpmath.inf, regularized=True)


def of_gamma(a, x):
    return mpmath.gammainc(a, x, mpmath.inf, regularized=True)


def of_beta(a, b, x):
    return mpmath.betainc(b, a, 0, 1 - x, regularized=True)


def of_t(df, x):
    return mpmath.betainc(df / 2, 0.5, 0, df / (df + x * x), regularized=True) / 2


# Distribution, its upper probability by mpmath, shapes, points from one tail to the other.
TAILS = [
    pytest.param("gamma", of_gamma, (2.5,), (1e-12, 1e-3, 0.8, 2.2, 9.0, 600.0), id="gamma"),
    pytest.param("gamma", of_gamma, (0.02,), (1e-90, 1e-9, 0.2, 3.0, 50.0), id="gamma, a < 1"),
    pytest.param("gamma", of_gamma, (4e3,), (3e3, 3.99e3, 4e3, 4.2e3, 5e3), id="gamma, large a"),
    pytest.param("chi2", of_chi2, (7.0,), (1e-5, 2.0, 6.5, 40.0, 900.0), id="chi2"),
    pytest.param("beta", of_beta, (2.0, 3.5), (1e-9, 0.1, 0.4, 0.8, 1 - 1e-9), id="beta"),
    pytest.param("beta", of_beta, (0.1, 0.04), (1e-9, 0.1, 0.8, 1 - 1e-12), id="beta, cup"),
    pytest.param("beta", of_beta, (900.0, 3e3), (0.15, 0.2304, 0.3), id="beta, large shapes"),
    pytest.param("t", of_t, (3.0,), (0.01, 0.7, 2.0, 30.0, 1e6), id="t"),
    pytest.param("t", of_t, (0.3,), (0.01, 0.7, 2.0, 30.0, 1e9), id="t, few degrees"),
    pytest.param("t", of_t, (1e6,), (0.01, 0.7, 2.0, 20.0), id="t, many degrees"),
]


@pytest.mark.parametrize(("name", "upper", "shapes", "points"), TAILS)
def test_derivatives_in_shapes_are_those_of_mpmath(name, upper, shapes, points):
    mirror, mode = getattr(stats, name), {"rel": 1e-12, "abs": 0.0}
    for place in range(len(shapes)):
        order = tuple(int(i == place) for i in range(len(shapes) + 1))
        for x in points:
            with mpmath.workdps(120):
                exact = (*map(mpmath.mpf, shapes), mpmath.mpf(x))
                above, slope = upper(*exact), mpmath.diff(upper, exact, order)
                wanted = {
                    "sf": slope,
                    "cdf": -slope,
                    "logsf": slope / above,
                    "logcdf": -slope / (1 - above),
                }
            for method, right in wanted.items():
                found = ad.grad(getattr(mirror, method), place + 1)(x, *shapes)
                assert found == pytest.approx(float(right), **mode), (method, place, x)


SECOND = [
    pytest.param("gamma", (1.2, 2.0), 1, "an incomplete gamma function in a", id="gamma-a"),
    pytest.param("chi2", (1.2, 2.0), 1, "an incomplete gamma function in a", id="chi2-df"),
    pytest.param("beta", (0.4, 2.0, 3.0), 1, "an incomplete beta function in a and b", id="beta-a"),
    pytest.param("beta", (0.4, 2.0, 3.0), 2, "an incomplete beta function in a and b", id="beta-b"),
    pytest.param("t", (0.4, 2.0), 1, "Student's distribution in n", id="t-df"),
]


@pytest.mark.parametrize("method", ["cdf", "sf", "logcdf", "logsf"])
@pytest.mark.parametrize(("name", "args", "place", "what"), SECOND)
def test_second_derivatives_in_shapes_are_refused_and_mixed_ones_not(
    name, args, place, what, method
):
    call, density = (getattr(getattr(stats, name), key) for key in (method, "pdf"))
    with pytest.raises(TypeError, match=f"the second derivative of {what} is missing"):
        ad.grad(ad.grad(call, place), place)(*args)
    if method == "cdf":
        mixed = ad.grad(density, place)(*args)
        assert ad.grad(ad.grad(call, place))(*args) == pytest.approx(mixed, rel=1e-13)
        assert ad.grad(ad.grad(call), place)(*args) == pytest.approx(mixed, rel=1e-13)


def test_constants_may_be_variables_that_are_not_followed():
    with ad.no_grad():
        found = stats.poisson.pmf(ad.Variable(1.0), 2.0)
    assert found == pytest.approx(scipy.stats.poisson.pmf(1, 2.0), rel=1e-14)
    assert ad.grad(lambda x: stats.poisson.pmf(ad.stop_gradient(x), x))(2.0) == pytest.approx(
        ad.grad(stats.poisson.pmf, 1)(2, 2.0), rel=1e-14
    )


def test_parameters_by_name():
    v = ad.Variable(0.7)
    pairs = [
        (stats.norm.logpdf(v, scale=2.0, loc=1.0), stats.norm.logpdf(v, 1.0, 2.0)),
        (stats.norm.logpdf(x=v), stats.norm.logpdf(v)),
        (stats.gamma.pdf(v, a=2.0, scale=3.0), stats.gamma.pdf(v, 2.0, 0.0, 3.0)),
        (stats.poisson.pmf(k=2, mu=v), stats.poisson.pmf(2, v)),
        (stats.beta.pdf(v, 2.0, b=3.0), stats.beta.pdf(v, 2.0, 3.0)),
    ]
    for first, second in pairs:
        assert first.value == second.value


@pytest.mark.parametrize(
    "call",
    [
        stats.norm.logpdf,
        lambda x: stats.norm.logpdf(0.3, x),
        lambda x: stats.multivariate_normal.logpdf(x, [0.1, 0.2]),
        lambda x: stats.dirichlet.logpdf([0.2, 0.8], x),
        lambda x: stats.poisson.logpmf([1, 2], x),
    ],
)
def test_lists_of_tracked_values(call):
    found = call([ad.Variable(1.2), ad.Variable(2.5)])
    np.testing.assert_allclose(found.value, call(np.array([1.2, 2.5])), rtol=1e-14)


def test_frozen_distributions():
    scale = ad.Variable(2.0)
    frozen = stats.norm(0.5, scale=scale)
    frozen.logpdf(1.0).backward()
    assert scale.grad == pytest.approx(0.25 / 8 - 0.5)
    assert repr(frozen) == "norm(0.5, scale=Variable(2.0, grad=-0.46875))"
    assert stats.norm(1.0, 2.0).mean() == 1.0
    assert ad.grad(stats.gamma(2.0).logpdf)(1.0) == 0.0
    mean = ad.Variable([0.0, 1.0])
    np.sum(stats.multivariate_normal(mean).logpdf(np.ones((3, 2)))).backward()
    np.testing.assert_allclose(mean.grad, [3.0, 0.0])
    assert stats.dirichlet([1.0, 2.0]).mean().tolist() == [1 / 3, 2 / 3]


def test_names_without_a_rule_are_those_of_scipy():
    assert stats.cauchy is scipy.stats.cauchy
    assert stats.norm.ppf(0.5) == 0.0
    assert stats.norm.rvs(size=2, random_state=0).shape == (2,)
    assert {"norm", "cauchy"} <= set(dir(stats))
    assert repr(stats.norm) == "<autodiff.scipy.stats.norm>"
    with pytest.raises(AttributeError):
        _ = stats.norm.nothing


@pytest.mark.parametrize(("name", "method"), EVERY)
def test_plain_values_are_left_to_scipy(name, method):
    x, shapes, ours, original = point_and_shapes(name, method)
    with np.errstate(all="ignore"):
        wanted = getattr(original, method)(x, *shapes)
        np.testing.assert_array_equal(getattr(ours, method)(x, *shapes), wanted)


def covariance(dim):
    root = np.random.default_rng(dim).normal(size=(dim, dim))
    return root @ root.T + np.eye(dim)


def symmetric(cov):
    return cov if np.ndim(cov) < 2 else (cov + np.swapaxes(cov, 0, 1)) / 2.0


MVN = stats.multivariate_normal
SIZES = [
    pytest.param((), (), (), id="numbers"),
    pytest.param((4,), (), (), id="a sample of numbers"),
    pytest.param((2,), (2,), (2, 2), id="vector"),
    pytest.param((3,), (3,), (3,), id="variances"),
    pytest.param((4, 2), (2,), (), id="one variance"),
    pytest.param((4, 2), (2,), (2, 2), id="batch"),
    pytest.param((2, 3, 2), (2,), (2, 2), id="two axes"),
    pytest.param((1, 2), (2,), (2, 2), id="batch of one"),
]


@pytest.mark.parametrize("method", ["logpdf", "pdf"])
@pytest.mark.parametrize(("points", "mean", "cov"), SIZES)
def test_multivariate_normal(check_rule, method, points, mean, cov):
    rng = np.random.default_rng(1)
    x, mean = rng.normal(size=points), rng.normal(size=mean)
    cov = covariance(cov[0]) if len(cov) == 2 else rng.uniform(0.5, 2.0, cov)
    check_rule(
        lambda x, mean, cov: getattr(MVN, method)(x, mean, symmetric(cov)),
        x,
        mean,
        cov,
        complex=False,
        single=False,
    )


def test_multivariate_normal_defaults(check_rule):
    x = np.array([0.3, -1.0])
    check_rule(lambda x: MVN.logpdf(x), x, complex=False, single=False)
    check_rule(lambda x: MVN.logpdf(x, cov=np.eye(2)), x, complex=False, single=False)
    check_rule(lambda x: MVN.logpdf(x, [1.0, 2.0], None), x, complex=False, single=False)


@pytest.mark.parametrize("cov", [(), (3,), (3, 3)], ids=str)
def test_entropy(check_rule, cov):
    cov = covariance(3) if len(cov) == 2 else np.random.default_rng(0).uniform(0.5, 2.0, cov)
    check_rule(
        lambda cov: MVN.entropy(np.zeros(3), symmetric(cov)), cov, complex=False, single=False
    )
    with pytest.warns(UserWarning, match="does not depend"):
        gradient = ad.grad(MVN.entropy)(np.zeros(3), cov)
    np.testing.assert_array_equal(gradient, np.zeros(3))


def test_singular_covariance(check_rule):
    basis = np.linalg.qr(np.random.default_rng(3).normal(size=(4, 4)))[0][:, :2]
    cov, mean = basis @ np.diag([2.0, 0.5]) @ basis.T, np.array([0.1, 0.2, 0.3, 0.4])
    inner = np.array([0.7, -0.2])

    def logpdf(inner, shift, size):
        return MVN.logpdf(mean + basis @ inner, mean + basis @ shift, size * cov, True)

    check_rule(logpdf, inner, inner / 3, 1.3, complex=False, single=False)
    check_rule(lambda s: MVN.entropy(mean, s * cov), 1.3, complex=False, single=False)
    away = ad.Variable(np.stack([mean + 1.0, mean]))
    found = MVN.logpdf(away, mean, cov, allow_singular=True)
    np.testing.assert_allclose(
        found.value, scipy.stats.multivariate_normal.logpdf(away.value, mean, cov, True)
    )
    assert found.value[0] == -INF
    np.sum(MVN.pdf(away, mean, cov, True)).backward()
    np.testing.assert_allclose(away.grad, np.zeros((2, 4)), atol=1e-15)


@pytest.mark.parametrize(
    ("args", "error", "message"),
    [
        (([1.0, 2.0], [0.0, 0.0], np.diag([1.0, 0.0])), np.linalg.LinAlgError, "positive definite"),
        (([1.0, 2.0], [0.0, 0.0], np.diag([1.0, -1.0])), ValueError, "positive semidefinite"),
        (([1.0, 2.0], [[0.0, 0.0]]), ValueError, "must be a vector of length 2"),
        (([1.0, 2.0], [0.0, 0.0], np.eye(3)), ValueError, "of shape"),
        (([1.0, 2.0], [0.0, 0.0], np.ones((2, 3))), ValueError, "square"),
    ],
)
def test_multivariate_normal_refuses_what_scipy_refuses(args, error, message):
    for first in (args[0], ad.Variable(args[0])):
        with pytest.raises(error, match=message):
            MVN.logpdf(first, *args[1:])


ALPHA = np.array([1.5, 0.7, 3.0])
SHARE = np.array([0.2, 0.3, 0.5])


@pytest.mark.parametrize("method", ["logpdf", "pdf"])
@pytest.mark.parametrize("count", [None, 4])
def test_dirichlet(check_rule, method, count):
    call = getattr(stats.dirichlet, method)
    x = SHARE if count is None else np.random.default_rng(0).dirichlet(ALPHA, count).T
    check_rule(lambda alpha: call(x, alpha), ALPHA, complex=False, single=False)
    check_rule(lambda x, a: call(x[:-1], a), x, ALPHA, complex=False, single=False)
    check_rule(lambda x: call(x / np.sum(x, 0), ALPHA), x, complex=False, single=False)


def test_dirichlet_at_the_edge():
    x, alpha = np.array([0.0, 0.4, 0.6]), np.array([2.0, 1.5, 3.0])
    found = ad.grad(stats.dirichlet.pdf)(x, alpha)
    assert found[0] == pytest.approx(
        stats.dirichlet.pdf(x + np.array([1e-9, -1e-9, 0.0]), alpha) / 1e-9, rel=1e-6
    )
    for call in (lambda x: stats.dirichlet.pdf(x, alpha), lambda x: stats.dirichlet.pdf(x, ALPHA)):
        with pytest.raises(ValueError, match="simplex"):
            call(ad.Variable(x + 0.1))
