"""Operators by autograd's names: what they give, and that they nest."""

import numpy as np
import pytest

import autodiff.compat.autograd as ag
import autodiff.compat.autograd.numpy as anp
from autodiff.compat.autograd.test_util import check_grads
from autodiff.compat.autograd.wrap_util import unary_to_nary

X = np.array([0.5, 2.0, -1.0])
A = np.array([[1.0, 0.5, -1.0], [0.25, 2.0, 1.0]])


def f(x, y, scale=1.0):
    return scale * anp.sum(anp.sin(x) * y**2)


def test_argnum():
    by_x, by_y = np.cos(X) * X**2, 2 * np.sin(X) * X
    np.testing.assert_allclose(ag.grad(f)(X, X), by_x)
    np.testing.assert_allclose(ag.grad(f, 1)(X, X, scale=2.0), 2 * by_y)
    np.testing.assert_allclose(ag.grad(f, -1)(X, X), by_y)
    both = ag.grad(f, [1, 0])(X, X)
    assert type(both) is tuple
    np.testing.assert_allclose(both[0], by_y)
    np.testing.assert_allclose(both[1], by_x)
    (alone,) = ag.grad(f, argnum=(1,))(X, X)
    np.testing.assert_allclose(alone, by_y)


def test_argnum_that_is_not_there():
    with pytest.raises(TypeError, match="argnum=2, but f was called with 1"):
        ag.grad(f, 2)(X)


def test_names_and_docstrings():
    assert ag.grad(f, 1).__name__ == "grad_of_f_wrt_argnum_1"
    assert "grad of f" in ag.grad(f, 1).__doc__
    assert ag.jacobian.__name__ == "jacobian"


def test_value_and_grad():
    value, gradient = ag.value_and_grad(f)(X, X)
    assert value == f(X, X)
    assert np.array_equal(gradient, ag.grad(f)(X, X))
    value, (first, second) = ag.value_and_grad(f, [0, 1])(X, X)
    assert first.shape == second.shape == (3,)


def test_arrays_with_one_entry():
    found = ag.grad(lambda x: np.sum(x**2, keepdims=True))(A)
    assert np.array_equal(found, 2 * A)


def test_kinds_of_gradients():
    assert type(ag.grad(lambda x: x * x)(3.0)) is float
    assert ag.grad(anp.sum)(X.astype(np.float32)).dtype == np.float32
    assert type(ag.grad(lambda z: anp.real(z * z))(1 + 2j)) is complex


@pytest.mark.parametrize("operator", [ag.grad, ag.value_and_grad], ids=["grad", "value_and_grad"])
@pytest.mark.parametrize(
    ("g", "what"),
    [
        (lambda x: x * (1 + 2j), "complex"),
        (lambda x: x[0] > 0, "condition"),
        (lambda x: x, "shape"),
        (lambda x: [x[0]], "container"),
    ],
)
@pytest.mark.filterwarnings("ignore:the result of:UserWarning")
def test_results_that_are_no_number(operator, g, what):
    with pytest.raises(TypeError, match="number"):
        operator(g)(X if what != "complex" else 1.0)


def test_conditions_have_a_vjp_of_zero():
    with pytest.warns(UserWarning, match="does not depend"):
        pullback, value = ag.make_vjp(lambda x: x > 1.0)(2.0)
    assert value
    assert pullback(1.0) == 0.0


def test_independent_of_the_argument():
    with pytest.warns(UserWarning, match="does not depend"):
        found = ag.grad(lambda x: 1.0)(X)
    assert np.array_equal(found, np.zeros(3))


def test_elementwise_grad():
    found = ag.elementwise_grad(lambda x: anp.tanh(x))(X)
    np.testing.assert_allclose(found, 1 / np.cosh(X) ** 2)
    second = ag.elementwise_grad(ag.elementwise_grad(anp.exp))(X)
    np.testing.assert_allclose(second, np.exp(X))
    with pytest.raises(TypeError, match="elementwise_grad"):
        ag.elementwise_grad(lambda x: x * 1j)(X)


def test_deriv():
    assert ag.deriv(anp.sin)(0.5) == pytest.approx(np.cos(0.5))
    assert ag.deriv(ag.deriv(anp.sin))(0.5) == pytest.approx(-np.sin(0.5))


def test_jacobian_and_hessian():
    found = ag.jacobian(lambda x: anp.dot(A, anp.sin(x)))(X)
    np.testing.assert_allclose(found, A * np.cos(X))
    cubes = ag.hessian(lambda x: anp.sum(x**3) + x[0] * x[1])(X)
    mixed = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    np.testing.assert_allclose(cubes, np.diag(6 * X) + mixed)
    assert ag.jacobian(lambda x, y: x * y, [0, 1])(2.0, X)[1].shape == (3, 3)
    assert ag.hessian(lambda x: anp.outer(x, x))(X).shape == (3, 3, 3, 3)


def test_make_vjp_and_make_jvp():
    pullback, value = ag.make_vjp(lambda x, y: anp.dot(A, x) * y, 0)(X, 2.0)
    np.testing.assert_allclose(value, 2 * A @ X)
    np.testing.assert_allclose(pullback(np.array([1.0, 0.0])), 2 * A[0])
    pullback, _ = ag.make_vjp(lambda x, y: anp.dot(A, x) * y, [0, 1])(X, 2.0)
    by_x, by_y = pullback(np.array([1.0, 0.0]))
    np.testing.assert_allclose(by_y, A[0] @ X)
    np.testing.assert_allclose(by_x, 2 * A[0])
    for make in (ag.make_jvp, ag.make_jvp_reversemode):
        push = make(lambda x: anp.dot(A, x) ** 2)(X)
        found = push(np.array([1.0, 0.0, 0.0]))
        change = found[1] if make is ag.make_jvp else found
        np.testing.assert_allclose(change, 2 * (A @ X) * A[:, 0])


def test_products_with_second_derivatives():
    def g(x):
        return anp.sum(x**4)

    vector = np.array([1.0, -2.0, 0.5])
    wanted = 12 * X**2 * vector
    multiply, gradient = ag.make_hvp(g)(X)
    np.testing.assert_allclose(multiply(vector), wanted)
    np.testing.assert_allclose(gradient, 4 * X**3)
    np.testing.assert_allclose(ag.hessian_tensor_product(g)(X, vector), wanted)
    np.testing.assert_allclose(ag.hessian_vector_product(g)(X, vector), wanted)


def test_tensor_jacobian_product():
    def g(x):
        return anp.outer(x, x**2)

    jacobian = ag.jacobian(g)(X)
    for tensor in (X, np.outer(X, X + 1)):
        found = ag.tensor_jacobian_product(g)(X, tensor)
        np.testing.assert_allclose(found, np.tensordot(tensor, jacobian, tensor.ndim))
    assert ag.vector_jacobian_product is ag.tensor_jacobian_product


def test_gauss_newton():
    def inner(x):
        return anp.tanh(anp.dot(A, x))

    def loss(y):
        return anp.sum(y**4)

    jacobian = ag.jacobian(inner)(X)
    half = jacobian.T @ jacobian
    np.testing.assert_allclose(ag.make_ggnvp(inner)(X)(X), half @ X)
    curved = jacobian.T @ np.diag(12 * inner(X) ** 2) @ jacobian
    np.testing.assert_allclose(ag.make_ggnvp(inner, loss)(X)(X), curved @ X)


def test_grad_and_aux():
    gradient, aux = ag.grad_and_aux(lambda x: (anp.sum(x**2), {"x": 2 * x}))(X)
    np.testing.assert_allclose(gradient, 2 * X)
    np.testing.assert_allclose(aux["x"], 2 * X)


def test_holomorphic_grad():
    z = 1 + 2j
    assert ag.holomorphic_grad(lambda z: z**3)(z) == pytest.approx(3 * z**2)
    with pytest.warns(UserWarning, match="not complex"):
        ag.holomorphic_grad(lambda z: z**3)(2.0)


def test_the_gradient_of_complex_parameters():
    # Of u(z) it is du/dx - i du/dy: of |z|^2 that is 2 conj(z).
    z = np.array([1 + 2j, -0.5j])
    np.testing.assert_allclose(ag.grad(lambda z: anp.sum(anp.abs(z) ** 2))(z), 2 * np.conj(z))


def test_all_arguments_by_name():
    def g(a, b=2.0, *rest, **named):
        return a * b + rest[0] ** 2 + named["c"] * a

    found = ag.multigrad_dict(g)(3.0, 4.0, 5.0, c=6.0)
    assert found == {"a": 10.0, "b": 3.0, "rest": (10.0,), "named": {"c": 3.0}}
    assert ag.grad_named(lambda a, b: a * b**2, "b")(3.0, 2.0) == 12.0


def test_checkpoint():
    calls = []

    @ag.checkpoint
    def step(x):
        calls.append(1)
        return anp.sin(x) ** 2

    assert ag.grad(lambda x: anp.sum(step(x)))(X).tolist() == pytest.approx(np.sin(2 * X).tolist())
    assert len(calls) == 2


def test_containers():
    params = {"w": X, "rest": [2.0, (A, 3.0)]}

    def loss(p):
        weights, bias = p["rest"][1]
        return anp.sum(anp.dot(weights, p["w"])) * p["rest"][0] + bias**2

    found = ag.grad(loss)(params)
    assert list(found) == ["w", "rest"]
    np.testing.assert_allclose(found["w"], 2 * A.sum(axis=0))
    assert found["rest"][1][1] == 6.0
    assert type(found["rest"][1]) is tuple
    again = ag.grad(lambda p: anp.sum(ag.grad(loss)(p)["w"]))(params)
    np.testing.assert_allclose(again["rest"][1][0], np.full((2, 3), 2.0))


def test_operators_nest_in_closures():
    def outer(x):
        return anp.sum(x * ag.grad(lambda y: anp.sum(x * y**3))(x))

    # 3 x^4 summed
    np.testing.assert_allclose(ag.grad(outer)(X), 12 * X**3)
    np.testing.assert_allclose(ag.elementwise_grad(ag.grad(outer))(X), 36 * X**2)
    values = ag.jacobian(lambda x: anp.array([ag.deriv(anp.sin)(x), ag.grad(outer)(x * X)[0]]))(1.0)
    assert values[0] == pytest.approx(-np.sin(1.0))


def test_an_operator_of_ones_own():
    @unary_to_nary
    def scaled_grad(g, x, factor):
        return factor * ag.grad(g)(x)

    assert scaled_grad(lambda a, b: a * b**2, 1, factor=10.0)(2.0, 3.0) == 120.0
    assert scaled_grad.__name__ == "scaled_grad"


def test_check_grads():
    check_grads(f, argnum=[0, 1])(X, X, scale=3.0)
    check_grads(f, modes=["rev"], order=1)(X, X)

    @ag.checkpoint
    def right(x):
        return x**2

    check_grads(right)(2.0)
