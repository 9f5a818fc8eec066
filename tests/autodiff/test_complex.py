"""Complex numbers through elementwise functions: both modes, orders, dtypes, special points."""

import cmath
import functools
import math
import random

import mpmath
import numpy as np
import pytest

import autodiff as ad
from autodiff import Variable, check_grads, grad, jvp, vjp
from diffrules import RULES, oracle
from diffrules.entry import not_differentiable, real_only

ENTRIES = sorted(
    (rule for rule in RULES.values() if rule.complex is not real_only and rule.is_public),
    key=lambda rule: rule.name,
)
REAL_ONLY = sorted(
    rule.name
    for rule in RULES.values()
    if rule.complex is real_only and rule.name not in {"absolute", "sign"}
)
NAMED = {"ids": lambda rule: rule.name}


def point(rule, seed):
    """Return a complex point of moderate size off the axes, where all branch cuts are.

    What has no derivative, an order, stays real.
    """
    rng = random.Random(f"{rule.name} {seed}")

    def number(arg):
        if rule.domain.is_whole(arg):
            return rng.randint(0, 3)
        if isinstance(rule.partials[arg], not_differentiable):
            return rng.uniform(0.5, 3.0)
        return cmath.rect(rng.uniform(0.3, 2.0), rng.randint(-2, 1) * math.pi / 2 + 0.3 + seed / 7)

    return [number(arg) for arg in rule.args]


def followed(rule):
    """Return the numbers of the arguments that have a derivative."""
    return [
        i
        for i, arg in enumerate(rule.args)
        if not isinstance(rule.partials[arg], not_differentiable) and rule.partials[arg] != 0
    ]


def of_one(rule, numbers, index):
    """Return the function of argument `index`, the others as in `numbers`."""
    call = getattr(ad, rule.name)
    return lambda z: call(*numbers[:index], z, *numbers[index + 1 :])


def slope(f, z, h=1e-3):
    """Return the complex derivative, by the mean over a circle: right to h**16."""
    turns = np.exp(2j * np.pi * np.arange(16) / 16)
    return sum(complex(f(z + h * turn)) / turn for turn in turns) / (16 * h)


@pytest.mark.parametrize("rule", ENTRIES, **NAMED)
def test_holomorphic_derivatives_in_both_modes(rule):
    numbers = point(rule, 0)
    for index in followed(rule):
        f, z = of_one(rule, numbers, index), numbers[index]
        wanted = slope(f, z)
        value, pullback = vjp(f, z)
        assert type(value) is complex
        for seed in (1.0, 1j, 0.5 - 2j):
            (pulled,) = pullback(seed)
            pushed = jvp(f, (z,), (seed,))[1]
            assert type(pulled) is type(pushed) is complex
            assert pulled == pytest.approx(seed * wanted, rel=1e-10)
            assert pushed == pytest.approx(seed * wanted, rel=1e-10)


@pytest.mark.parametrize("rule", ENTRIES, **NAMED)
def test_arrays_and_real_losses(rule):
    numbers = point(rule, 1)
    for index in followed(rule):
        f, z = of_one(rule, numbers, index), np.array([[numbers[index]], [numbers[index] + 0.1j]])
        wanted = [[slope(f, complex(entry))] for entry in z[:, 0]]
        variable = Variable(z)
        np.sum(np.real(f(variable))).backward()
        assert variable.grad.dtype == np.complex128
        pushed = jvp(f, (z,), (np.ones((2, 1)) + 0j,))[1]
        np.testing.assert_allclose(variable.grad, wanted, rtol=1e-10, atol=1e-13)
        np.testing.assert_allclose(pushed, wanted, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("rule", ENTRIES, **NAMED)
def test_second_order_agrees_with_many_digits(rule):
    numbers = point(rule, 2)
    value = oracle.compiled(rule.args, rule.value)
    for i in followed(rule):
        for j in followed(rule):

            def first(*args, i=i):
                return vjp(lambda z: of_one(rule, args, i)(z), args[i])[1](1.0)[0]

            orders = [int(k == i) + int(k == j) for k in range(len(numbers))]
            exact = tuple(map(mpmath.mpmathify, numbers))
            right = complex(oracle.settled(lambda e=exact, o=orders: mpmath.diff(value, e, o), 20))
            one = functools.partial(_of_one, first, numbers, j)
            scale = abs(complex(value(*exact)))
            for found in (vjp(one, numbers[j])[1](1.0)[0], jvp(one, (numbers[j],), (1.0,))[1]):
                assert found == pytest.approx(right, rel=1e-9, abs=1e-10 * scale), (i, j)


def _of_one(f, numbers, index, z):
    return f(*numbers[:index], z, *numbers[index + 1 :])


@pytest.mark.parametrize("rule", ENTRIES, **NAMED)
def test_complex64_stays_complex64(rule):
    # float_power computes in double whatever it is given.
    dtype = np.complex128 if rule.name == "float_power" else np.complex64
    numbers = [np.full(2, n, dtype=np.complex64) if isinstance(n, complex) else n
               for n in point(rule, 3)]  # fmt: skip
    for index in followed(rule):
        variable = Variable(numbers[index])
        out = of_one(rule, numbers, index)(variable)
        assert out.dtype == dtype
        np.sum(np.real(out)).backward()
        assert variable.grad.dtype == np.complex64
        pushed = jvp(of_one(rule, numbers, index), (numbers[index],), (numbers[index],))[1]
        assert pushed.dtype == dtype


@pytest.mark.parametrize("name", REAL_ONLY)
def test_functions_for_reals_refuse_complex_numbers_by_name(name):
    (rule,) = [rule for rule in RULES.values() if rule.name == name]
    if name.startswith("_"):
        return
    args = [1 if rule.domain.is_whole(arg) else 0.5 for arg in rule.args]
    call = getattr(ad, name)
    for index in followed(rule) or range(len(args)):
        for number in (0.5 + 0.5j, np.complex64(0.5), np.full(2, 0.5 + 0.5j)):

            def one(z, index=index):
                return call(*args[:index], z, *args[index + 1 :])

            with pytest.raises(TypeError, match=rf"{name} is for real numbers, but \w+ has dtype"):
                one(Variable(number))
            with pytest.raises(TypeError, match=f"{name} is for real"):
                jvp(one, (number,), (number,))


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.hypot(x, 1j),
        lambda x: np.hypot(np.array([1j, 2.0]), x),
        lambda x: np.maximum(x, np.array([1j, 2.0])),
        lambda x: np.maximum([1j, 2.0], x),
        lambda x: np.arctan2(np.complex64(1j), x),
        lambda x: np.clip(x, 0.0, 1j),
        lambda x: np.logaddexp(x, 1j),
    ],
)
@pytest.mark.parametrize("x", [1.0, np.array([1.0, 3.0])], ids=["float", "array"])
def test_a_complex_constant_is_refused_too(call, x):
    with pytest.raises(TypeError, match=r"is for real numbers, but .* has dtype complex"):
        call(Variable(x))
    with pytest.raises(TypeError, match=r"is for real numbers, but .* has dtype complex"):
        jvp(call, (x,), (x,))


Z = np.array([0.6 - 0.8j, -1.5 + 0.3j, 2.0 + 1e-3j, -0.2 - 2.0j])
OF_PARTS = {
    "abs": np.abs,
    "abs squared": lambda z: np.abs(z) ** 2,
    "z conj(z)": lambda z: np.real(z * np.conj(z)),
    "parts squared": lambda z: z.real**2 + z.imag**2,
    "real": lambda z: np.real(z) * np.real(z),
    "imag": lambda z: np.imag(z**2) ** 3,
    "angle": np.angle,
    "angle in degrees": lambda z: np.angle(z, deg=True),
    "angle of an angle": lambda z: np.angle(np.exp(1j * np.abs(z))),
    "conj": lambda z: np.conj(z) ** 2,
    "conjugate": lambda z: np.exp(np.conjugate(z)),
    "sign": np.sign,
    "sign of a product": lambda z: np.sign(z * np.conj(z[::-1])),
    "log of abs": lambda z: np.log(np.abs(z)),
    "fabs": lambda z: np.abs(np.sin(z)),
    "a softmax of sizes": lambda z: np.exp(np.abs(z)) / np.sum(np.exp(np.abs(z))),
    "methods": lambda z: z.conj() * z.conjugate() * z.real + 1j * z.imag,
}


@pytest.mark.parametrize("f", OF_PARTS.values(), ids=OF_PARTS)
def test_functions_without_complex_derivative(f):
    np.testing.assert_allclose(f(Variable(Z)).value, f(Z), rtol=1e-14)
    assert f(Variable(Z)).dtype == f(Z).dtype
    check_grads(f, (Z,), order=3)
    variable = Variable(Z.astype(np.complex64))
    np.sum(np.real(f(variable))).backward()
    assert variable.grad.dtype == np.complex64


def test_the_gradient_of_a_real_loss_has_minus_the_imaginary_slope():
    """For u(x + iy) it is du/dx - i du/dy."""
    z = 1 + 0.5j
    assert grad(lambda z: np.real(z))(z) == 1
    assert grad(lambda z: np.imag(z))(z) == -1j
    assert grad(lambda z: np.abs(z) ** 2)(z) == pytest.approx(2 * z.conjugate())
    assert grad(abs)(z) == pytest.approx(z.conjugate() / abs(z))
    assert grad(lambda z: np.real(z * z))(z) == pytest.approx(2 * z)
    assert grad(lambda z: np.angle(z))(z) == pytest.approx(-1j / z)
    found = jvp(np.abs, (z,), (1j,))
    assert [type(part) for part in found] == [float, float]
    assert found[1] == pytest.approx(z.imag / abs(z))


def test_a_step_against_the_conjugate_goes_down():
    z = Variable(3 - 4j)
    for _ in range(50):
        z.zero_grad()
        loss = np.abs(z - (1 + 2j)) ** 2
        loss.backward()
        with ad.no_grad():
            z -= 0.1 * np.conj(z.grad)
    assert z.value == pytest.approx(1 + 2j, abs=1e-4)


@pytest.mark.parametrize("z", [0j, np.zeros(2, complex)], ids=["number", "array"])
@pytest.mark.parametrize("f", [np.abs, np.sign, np.angle, lambda z: np.abs(z) ** 2])
def test_derivatives_at_zero_are_zero(f, z):
    ones = 1.0 if np.shape(z) == () else np.ones(2)
    value, pullback = vjp(f, z)
    np.testing.assert_array_equal(value, f(z))
    np.testing.assert_array_equal(pullback(ones)[0], z)
    np.testing.assert_array_equal(jvp(f, (z,), (ones + 1j,))[1], np.real(z))
    np.testing.assert_array_equal(grad(lambda z: np.sum(np.real(f(z))))(z), z)


def test_sizes_at_the_ends_of_the_float_range():
    z = np.array([3e200 + 4e200j, 3e-200 - 4e-200j, 1e-310j])
    found = grad(lambda z: np.sum(np.abs(z)))(z)
    np.testing.assert_allclose(found, [0.6 - 0.8j, 0.6 + 0.8j, -1j], rtol=1e-9)


@np.errstate(all="ignore")
def test_a_branch_that_is_not_taken_contributes_nothing():
    z = np.array([0j, 1 + 1j])
    wanted = [0, 1 / (1 + 1j)]
    np.testing.assert_allclose(
        grad(lambda z: np.sum(np.real(np.where(z != 0, np.log(z), 0.0))))(z), wanted
    )
    np.testing.assert_allclose(
        jvp(lambda z: np.where(z != 0, np.log(z), 0.0), (z,), (np.ones(2) + 0j,))[1], wanted
    )
    masked = grad(lambda z: np.sum(np.where([False, True], np.abs(np.sqrt(z) / z), 0.0)))(z)
    assert masked[0] == 0
    assert np.isfinite(masked[1])


REALS = np.array([-1.5, 0.0, 2.0])


@pytest.mark.parametrize("x", [REALS, -0.5], ids=["array", "float"])
def test_parts_of_real_numbers(x):
    variable = Variable(x)
    assert np.real(variable) is variable
    conjugate = np.conjugate(variable)
    assert conjugate is not variable
    np.testing.assert_array_equal(conjugate.value, x)
    np.sum(conjugate * np.real(variable)).backward()
    np.testing.assert_array_equal(variable.grad, 2 * x)
    for f in (np.imag, np.angle, lambda x: np.angle(x, deg=True)):
        found = f(Variable(x))
        assert not isinstance(found, Variable)
        np.testing.assert_array_equal(found, f(x))
    assert np.real_if_close(variable) is variable


def test_real_if_close():
    near = np.array([1.0, 2.0]) + 1e-16j
    found = grad(lambda z: np.sum(np.real_if_close(z) ** 2))(near)
    np.testing.assert_allclose(found, [2, 4])
    assert np.real_if_close(Variable(near)).dtype == float
    assert np.real_if_close(Variable(near), tol=1e-17).dtype == complex
    assert np.real_if_close(Variable(Z)).dtype == complex


MIXED = {
    "product": lambda x, c: x * c,
    "quotient": lambda x, c: c / x - x / c,
    "power of a real": lambda x, c: x**c,
    "power of a complex": lambda x, c: c**x,
    "sum": lambda x, c: (x + c) * (x - c),
    "where": lambda x, c: np.where(np.real(c) > 0.5, x, c * x),
    "phase": lambda x, c: np.exp(1j * x) * c,
}


@pytest.mark.parametrize("f", MIXED.values(), ids=MIXED)
def test_real_and_complex_operands(f):
    x = np.array([[0.5], [1.5], [-0.7]])
    c = np.array([0.3 + 1j, 1.2 - 0.4j])
    np.testing.assert_allclose(f(Variable(x), c).value, f(x, c), rtol=1e-14)
    check_grads(f, (x, c))
    for loss in (np.real, np.imag, np.abs):
        of_x, of_c = grad(lambda x, c, loss=loss: np.sum(loss(f(x, c))), (0, 1))(x, c)
        assert (of_x.shape, of_x.dtype) == (x.shape, np.float64)
        assert (of_c.shape, of_c.dtype) == (c.shape, np.complex128)
    of_x, of_c = grad(lambda x, c: np.sum(np.real(f(x, c))), (0, 1))(
        x.astype(np.float32), c.astype(np.complex64)
    )
    assert (of_x.dtype, of_c.dtype) == (np.float32, np.complex64)


def test_mixed_python_numbers():
    assert grad(lambda x: np.real(x * (2 + 3j)))(0.5) == 2.0
    assert type(grad(lambda x: np.imag((2 + 3j) * x))(0.5)) is float
    assert grad(lambda z: np.real(z * 2.0))(1j) == 2
    assert grad(lambda x: np.abs(np.exp(1j * x)))(0.5) == pytest.approx(0, abs=1e-15)
    assert grad(lambda x: np.real((x + 0j) ** 2))(3.0) == 6.0
    value, tangent = jvp(lambda x: 1j * x, (2.0,), (1.0,))
    assert (value, tangent) == (2j, 1j)
    assert type(tangent) is complex


def test_powers():
    assert grad(lambda z: np.real(z**0))(0j) == 0
    assert grad(lambda z: np.real(z**1))(0j) == 1
    assert grad(lambda z: np.real(z**2))(0j) == 0
    assert grad(lambda z: np.real(z**3))(-2 + 0j) == pytest.approx(12)
    assert grad(lambda z: np.real(z**-1))(2j) == pytest.approx(0.25)
    assert grad(lambda y: np.real((-2.0 + 0j) ** y))(2.0) == pytest.approx(4 * math.log(2))
    assert grad(lambda y: np.real(0j**y))(2.0) == 0
    turned = grad(lambda x: np.real(x ** (1 + 1j)))(-2.0)
    assert turned == pytest.approx(((1 + 1j) * (-2.0 + 0j) ** 1j).real)
    second = grad(grad(lambda z: np.real(z**2)))
    with pytest.raises(TypeError, match="complex"):
        second(1j)
    assert vjp(lambda z: vjp(lambda z: z**2, z)[1](1.0)[0], 1j)[1](1.0)[0] == 2


def test_poles_and_division_by_zero():
    value, pullback = vjp(lambda z: 1 / z, 0j)
    assert not np.isfinite(value)
    assert not np.isfinite(pullback(1.0)[0])
    assert ad.reciprocal(2j) == -0.5j
    assert type(ad.sin(1j)) is complex
    assert ad.sqrt(-1.0 + 0j) == 1j


def test_a_recorded_walk_back_is_differentiated_again():
    z = Variable(np.array([1 + 2j, -0.5j]))
    np.sum(np.real(z**3)).backward(create_graph=True)
    first = z.grad
    z.zero_grad()
    np.sum(np.real(first)).backward()
    np.testing.assert_allclose(first.value, 3 * np.array([1 + 2j, -0.5j]) ** 2)
    np.testing.assert_allclose(z.grad, 6 * np.array([1 + 2j, -0.5j]))


def test_complex_arrays_in_every_power_call():
    """The short path of arrays takes the methods for complex numbers too."""
    z, w = np.array([-1 + 1j, 2j]), np.array([0.5j, 1 + 1j])
    a, b = Variable(z), Variable(w)
    np.sum(np.real(np.power(a, b))).backward()
    np.testing.assert_allclose(a.grad, w * z ** (w - 1))
    np.testing.assert_allclose(b.grad, z**w * np.log(z))
    x = Variable(np.array([-1.0, -2.0]))
    np.sum(np.real(np.power(x, w))).backward()
    np.testing.assert_allclose(x.grad, np.real(w * (x.value + 0j) ** (w - 1)))


def test_nested_transforms_of_sizes():
    def laplacian(f, z):
        def along(d):
            return jvp(lambda z: jvp(f, (z,), (d,))[1], (z,), (d,))[1]

        return along(1.0) + along(1j)

    z = 0.7 - 1.1j
    assert laplacian(np.abs, z) == pytest.approx(1 / abs(z))
    assert laplacian(lambda z: np.log(np.abs(z)), z) == pytest.approx(0, abs=1e-14)
    assert laplacian(np.angle, z) == pytest.approx(0, abs=1e-14)
    assert laplacian(lambda z: np.real(np.sin(z) ** 2), z) == pytest.approx(0, abs=1e-13)
