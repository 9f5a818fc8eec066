"""`custom_rule`: functions and classes with derivatives given by hand."""

import numpy as np
import pytest

import autodiff as ad
from autodiff import check_grads, custom_rule, grad, hessian, jvp


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / np.sum(e)


SOFTMAX = custom_rule(
    softmax,
    vjp=lambda grad, out, x: out * (grad - np.sum(grad * out)),
    jvp=lambda tangents, out, x: out * (tangents[0] - np.sum(tangents[0] * out)),
)
POINT = np.array([0.5, -1.0, 2.0])


def test_a_function_in_both_modes_and_orders():
    check_grads(SOFTMAX, (POINT,), order=2)
    weights = np.array([1.0, 2.0, 3.0])
    found = hessian(lambda x: np.sum(SOFTMAX(x) * weights))(POINT)
    right = hessian(lambda x: np.sum(softmax(x) * weights))(POINT)
    np.testing.assert_allclose(found, right, atol=1e-15)


def test_it_sees_plain_values():
    seen = []

    @custom_rule(vjp=lambda grad, out, x, y: (grad * y, None))
    def product(x, y):
        seen.extend([type(x), type(y)])
        return x * y

    assert grad(product, (0, 1))(3.0, 4.0) == (4.0, 0.0)
    assert seen == [float, float]
    assert product(3.0, 4.0) == 12.0
    with pytest.raises(TypeError, match=r"product has no jvp.*custom_rule\(f, jvp"):
        jvp(product, (3.0, 4.0), (1.0, 0.0))


def test_forward_mode_alone():
    double = custom_rule(lambda x: x * 2, jvp=lambda tangents, out, x: 2 * tangents[0])
    assert jvp(double, (3.0,), (1.0,)) == (6.0, 2.0)
    with pytest.raises(TypeError, match=r"has no vjp"):
        grad(double)(3.0)


def test_keywords_are_passed_on():
    scaled = custom_rule(lambda x, *, by: x * by, vjp=lambda grad, out, x, *, by: grad * by)
    assert grad(lambda x: scaled(x, by=5.0))(1.0) == 5.0


@custom_rule
class Linear:
    """A layer that holds its weights."""

    def __init__(self, w, b):
        self.w, self.b = ad.Variable(w), ad.Variable(b)

    def forward(self, x, w, b):
        return x @ w + b

    def vjp(self, grad, out, x, w, b):
        return grad @ w.T, x.T @ grad, np.sum(grad, axis=0)

    def jvp(self, tangents, out, x, w, b):
        tx, tw, tb = tangents
        return tx @ w + x @ tw + tb


def test_a_class_with_its_own_variables():
    rng = np.random.default_rng(0)
    w, b, x = rng.standard_normal((3, 2)), rng.standard_normal(2), rng.standard_normal((4, 3))
    layer = Linear(w, b)
    given = ad.Variable(x)
    np.sum(np.tanh(layer(given))).backward()

    def plain(x, w, b):
        return np.sum(np.tanh(x @ w + b))

    for found, right in zip(
        (given.grad, layer.w.grad, layer.b.grad), grad(plain, (0, 1, 2))(x, w, b), strict=True
    ):
        np.testing.assert_allclose(found, right, rtol=1e-13)
    assert grad(lambda x: np.sum(layer(x)))(x).value.shape == x.shape


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: custom_rule(np.sin), TypeError, "vjp="),
        (lambda: custom_rule(3.0, vjp=abs), TypeError, r"3\.0"),
        (lambda: custom_rule(int), TypeError, "forward"),
        (
            lambda: grad(custom_rule(lambda x, y: x, vjp=lambda g, o, x, y: g))(1.0, 2.0),
            TypeError,
            r"1 cotangent.*2",
        ),
        (
            lambda: grad(
                lambda x: np.sum(custom_rule(lambda x: x, vjp=lambda g, o, x: np.sum(g))(x))
            )(np.ones(2)),
            ValueError,
            r"shape \(\) for argument 0.*\(2,\)",
        ),
        (
            lambda: jvp(
                custom_rule(lambda x: x * 1, jvp=lambda t, o, x: np.sum(t[0])),
                (np.ones(2),),
                (np.ones(2),),
            ),
            ValueError,
            r"jvp.*shape \(\).*\(2,\)",
        ),
    ],
)
def test_wrong_rules_say_what_is_wrong(make, kind, message):
    with pytest.raises(kind, match=message):
        make()


def test_a_result_that_is_an_argument_stays_writable():
    constant = np.ones(2)
    second = custom_rule(lambda x, y: y, vjp=lambda grad, out, x, y: (0 * grad, grad))
    assert second(ad.Variable(np.zeros(2)), constant).value is not constant
    constant[0] = 5.0


def test_a_masked_call_does_not_poison():
    reciprocal = custom_rule(lambda x: 1.0 / (x + (x == 0)), vjp=lambda grad, out, x: grad / x)
    assert grad(lambda x: np.where(x > 0, reciprocal(x), 3.0 * x))(0.0) == 3.0
    x = np.array([np.inf, 1.0])
    np.testing.assert_array_equal(
        grad(lambda v: np.where(False, np.linalg.norm(v), 0.0))(x), [0.0, 0.0]
    )
    rows = np.array([[np.inf, 1.0], [3.0, 4.0]])
    found = grad(lambda v: np.sum(np.linalg.norm(v, axis=1)[1:]))(rows)
    np.testing.assert_allclose(found, [[0.0, 0.0], [0.6, 0.8]], rtol=1e-15)


def test_a_class_of_static_methods():
    @custom_rule
    class Product:
        def __init__(self, y):
            self.y = y

        @staticmethod
        def forward(x, y):
            return x * y

        @staticmethod
        def vjp(grad, out, x, y):
            return grad * y, grad * x

    assert grad(Product(3.0))(2.0) == 3.0
    assert grad(Product(0.0), argnums=1)(2.0, 5.0) == 2.0
