"""grad, vjp, jvp, jacobian, hessian: arguments, kinds, nesting, errors; check_grads."""

import itertools
import math

import numpy as np
import pytest

import autodiff as ad
from autodiff import check_grads, grad, hessian, jacobian, jvp, value_and_grad, vjp


def derivative(f, mode):
    """Return the derivative of a function of one number, by one mode."""
    if mode == "reverse":
        return grad(f)
    return lambda x: jvp(f, (x,), (1.0,))[1]


@pytest.mark.parametrize("modes", list(itertools.product(["reverse", "forward"], repeat=3)))
def test_any_nesting_of_modes(modes):
    f = np.sin
    for mode in modes:
        f = derivative(f, mode)
    assert f(0.5) == pytest.approx(-math.cos(0.5), rel=1e-15)


@pytest.mark.parametrize("modes", list(itertools.product(["reverse", "forward"], repeat=3)))
def test_any_nesting_of_modes_on_arrays(modes):
    def f(x):
        return np.sum(np.exp(np.array([0.5, 2.0]) * x) * x)

    for mode in modes:
        f = derivative(f, mode)
    right = sum(math.exp(a * 0.25) * (a**3 * 0.25 + 3 * a**2) for a in (0.5, 2.0))
    assert f(0.25) == pytest.approx(right, rel=1e-14)


def test_argnums():
    def f(x, y, *, scale=1.0):
        return scale * x * y * y

    assert grad(f)(2.0, 3.0) == 9.0
    assert grad(f, 1)(2.0, 3.0) == 12.0
    assert grad(f, -1)(2.0, 3.0) == 12.0
    assert grad(f, (1, 0))(2.0, 3.0) == (12.0, 9.0)
    assert grad(f, [0])(2.0, 3.0, scale=2.0) == (18.0,)
    assert value_and_grad(f, (0, 1))(2.0, 3.0) == (18.0, (9.0, 12.0))
    with pytest.raises(ValueError, match=r"twice"):
        grad(f, (0, -2))(2.0, 3.0)
    with pytest.raises(ValueError, match=r"argnums=2.*2 positional"):
        grad(f, 2)(2.0, 3.0)


def test_kinds_of_numbers():
    value, slope = value_and_grad(lambda x: np.sum(x * x))(3.0)
    assert (type(value), type(slope)) == (float, float)
    value, slope = value_and_grad(lambda x: x * x)(np.float32(3.0))
    assert (type(value), type(slope)) == (np.float32, np.float32)
    slope = grad(lambda x: x * x)(np.array(3.0))
    assert isinstance(slope, np.ndarray)
    assert slope.shape == ()
    assert grad(lambda x: x * x)(3) == 6.0


def test_arguments_are_looked_at_not_copied_nor_changed():
    x = np.array([1.0, 2.0])
    seen = []

    def f(v):
        seen.append(np.shares_memory(v.value, x))
        return np.sum(v * v)

    slope = grad(f)(x)
    assert seen == [True]
    assert x.flags.writeable
    assert slope.flags.writeable
    assert not np.shares_memory(slope, x)


def test_vjp_and_jvp():
    x, y = np.array([1.0, 2.0]), 3.0
    value, pull = vjp(lambda x, y: x * y, x, y)
    np.testing.assert_array_equal(value, [3.0, 6.0])
    for _ in range(2):
        dx, dy = pull(np.array([1.0, 10.0]))
        np.testing.assert_array_equal(dx, [3.0, 30.0])
        assert dy == 21.0
    value, tangent = jvp(lambda x, y: x * y, (x, y), (np.ones(2), 1.0))
    np.testing.assert_array_equal(tangent, [4.0, 5.0])
    with pytest.raises(ValueError, match=r"\(3,\).*\(2,\)"):
        pull(np.ones(3))
    with pytest.raises(ValueError, match=r"tangent 0 of jvp has shape \(\), primal 0 .*\(2,\)"):
        jvp(np.sin, (x,), (1.0,))
    with pytest.raises(ValueError, match=r"1 primals and 2"):
        jvp(np.sin, (x,), (1.0, 2.0))


@pytest.mark.parametrize("mode", ["auto", "reverse", "forward"])
def test_jacobian_shapes(mode):
    rng = np.random.default_rng(0)
    for shape_in, shape_out in itertools.product([(), (3,), (2, 2), (0,)], repeat=2):
        a = rng.standard_normal(shape_out + shape_in)
        axes = len(shape_in)

        def f(x, a=a, axes=axes):
            return np.sum(a * x, axis=tuple(range(a.ndim - axes, a.ndim))) if axes else a * x

        x = rng.standard_normal(shape_in) if shape_in else 0.5
        found = jacobian(f, mode=mode)(x)
        assert np.shape(found) == shape_out + shape_in
        np.testing.assert_allclose(found, a, rtol=1e-14)


def test_jacobian_of_several_arguments():
    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0, 5.0])

    def f(x, y):
        return np.stack([x[0] * y[1], x[1] * np.sum(y)])

    for mode in ("reverse", "forward"):
        dx, dy = jacobian(f, (0, 1), mode=mode)(x, y)
        np.testing.assert_array_equal(dx, [[4.0, 0.0], [0.0, 12.0]])
        np.testing.assert_array_equal(dy, [[0.0, 1.0, 0.0], [2.0, 2.0, 2.0]])
    with pytest.raises(ValueError, match="mode"):
        jacobian(f, mode="sideways")


def test_hessian_of_several_arguments():
    x, y = np.array([1.0, 2.0]), 3.0
    (xx, xy), (yx, yy) = hessian(lambda x, y: np.sum(x**2) * y**2, (0, 1))(x, y)
    np.testing.assert_array_equal(xx, np.eye(2) * 18.0)
    np.testing.assert_array_equal(xy, [12.0, 24.0])
    np.testing.assert_array_equal(yx, [12.0, 24.0])
    assert yy == 10.0
    assert hessian(lambda x: x**3)(2.0) == 12.0


def test_results_that_cannot_be_differentiated():
    for f, message in (
        (lambda x: [x, x], "list"),
        (lambda x: None, "NoneType"),
        (lambda x: x > 0, "bool"),
        (lambda x: "text", "str"),
    ):
        with pytest.raises(TypeError, match=message):
            grad(f)(1.0)
    with pytest.raises(TypeError, match=r"argument 0\['w'\]\[1\].*dtype <U4"):
        grad(lambda p: p["w"][0])({"w": [1.0, "text"]})
    with pytest.raises(TypeError, match=r"argument 0.*derivative"):
        grad(np.sum)(np.array([True]))


def test_an_escaped_value_is_a_constant():
    escaped = []

    def inner(y):
        escaped.append(y)
        return y * y

    def outer(x):
        grad(inner)(3.0)
        return x * escaped[-1]

    assert grad(outer)(2.0) == 3.0
    assert jvp(outer, (2.0,), (1.0,)) == (6.0, 3.0)


def test_create_graph():
    x = ad.Variable(2.0)
    (x**3).backward(create_graph=True)
    first = x.grad
    assert isinstance(first, ad.Variable)
    x.zero_grad()
    (first * first).backward()
    assert x.grad == pytest.approx(2 * 12.0 * 12.0)
    v = ad.Variable(np.array([1.0, 2.0]))
    np.sum(np.sin(v)).backward(create_graph=True)
    slope = v.grad
    v.zero_grad()
    np.sum(slope).backward()
    np.testing.assert_allclose(v.grad, -np.sin([1.0, 2.0]), rtol=1e-15)


def test_backward_belongs_to_variables_of_the_user():
    with pytest.raises(TypeError, match="return the value"):
        grad(lambda x: (x * x).backward())(1.0)


def test_check_grads_finds_a_wrong_rule():
    wrong = ad.custom_rule(
        lambda x: x * x, vjp=lambda grad, out, x: grad * x, jvp=lambda t, out, x: t[0] * 2 * x
    )
    with pytest.raises(AssertionError, match=r"<lambda>.*argument 0, entry \[0\].*got.*expected"):
        check_grads(wrong, (np.array([1.0]),), order=1)
    with pytest.raises(AssertionError, match=r"forward mode"):
        check_grads(
            ad.custom_rule(lambda x: x * x, jvp=lambda t, out, x: t[0] * x),
            (np.array([1.0]),),
            order=1,
            modes=("forward",),
        )
    with pytest.raises(AssertionError, match="order 2"):
        check_grads(
            ad.custom_rule(
                lambda x: x**3,
                vjp=lambda grad, out, x: (
                    grad * ad.custom_rule(lambda x: 3 * x**2, vjp=lambda g, o, x: g * x)(x)
                ),
            ),
            (1.0,),
            modes=("reverse",),
        )


def test_check_grads_warns_below_float64():
    with pytest.warns(UserWarning, match="float32"):
        check_grads(np.sin, (np.ones(2, np.float32),), order=1)
    for wrong in ({"modes": ("sideways",)}, {"modes": ()}, {"order": 0}):
        with pytest.raises(ValueError, match=r"modes|order"):
            check_grads(np.sin, (1.0,), **wrong)
    with pytest.raises(TypeError, match="tuple"):
        check_grads(np.sin, 0.5)


def test_stop_gradient():
    assert grad(lambda x: x * ad.stop_gradient(x))(3.0) == 3.0
    third = grad(grad(lambda x: x**2 * float(np.linalg.det(np.eye(2) * ad.stop_gradient(x)))))
    assert third(2.0) == 8.0


def test_an_escaped_value_is_a_constant_to_variables_and_to_python():
    escaped = []
    grad(lambda y: (escaped.append(y * 2.0), y)[1])(3.0)
    jvp(lambda y: (escaped.append(y * 2.0), y)[1], (3.0,), (1.0,))
    for leak in escaped:
        assert float(leak) == 6.0
        v = ad.Variable(2.0)
        (v * leak).backward()
        assert v.grad == 6.0
        assert value_and_grad(lambda z, leak=leak: z * leak)(2.0) == (12.0, 6.0)
        assert float(np.sin(leak)) == math.sin(6.0)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (np.log, (1e-6,)),
        (lambda x, y: x * np.log(y), (1.0, 1e-3)),
        (lambda v: np.sum(np.log(v)), (np.array([1.0, 1e-3]),)),
        (lambda x: np.sum(x**2), (np.array([1e7]),)),
        (lambda x: 3 * x, (1e14,)),
        (np.sin, (100.0,)),
        (lambda x: np.exp(-x), (0.0,)),
    ],
)
def test_check_grads_accepts_what_is_right(f, args):
    check_grads(f, args)


def wrong_by(factor, f, slope):
    return ad.custom_rule(
        f,
        vjp=lambda grad, out, x: grad * factor * slope(x),
        jvp=lambda tangents, out, x: tangents[0] * factor * slope(x),
    )


@pytest.mark.parametrize("modes", [("reverse",), ("forward",)])
@pytest.mark.parametrize(
    ("f", "x"),
    [
        (wrong_by(2.5, lambda x: 1e-9 * x**2, lambda x: 2e-9 * x), 1.5),
        (
            wrong_by(
                np.array([1.0, 7.0]), lambda x: x * [1e8, 1.0], lambda x: np.array([1e8, 1.0])
            ),
            np.array([0.5, 2.0]),
        ),
        (wrong_by(1.0 + 1e-4, np.exp, np.exp), 0.5),
    ],
)
def test_check_grads_finds_small_faults(f, x, modes):
    with pytest.raises(AssertionError, match="got"):
        check_grads(f, (x,), order=1, modes=modes)


def test_check_grads_goes_the_way_of_floats():
    seen = []
    check_grads(lambda x: (seen.append(type(ad.stop_gradient(x))), x * x)[1], (0.5,), order=1)
    assert set(seen) == {float}
