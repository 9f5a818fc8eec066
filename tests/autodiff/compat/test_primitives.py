"""Functions with derivatives of the client's own."""

import numpy as np
import pytest

import autodiff as ad
from autodiff.compat.autograd import (
    deriv,
    elementwise_grad,
    grad,
    hessian,
    jacobian,
    make_vjp,
)
from autodiff.compat.autograd.extend import (
    def_linear,
    defjvp,
    defjvp_argnum,
    defjvp_argnums,
    defvjp,
    defvjp_argnum,
    defvjp_argnums,
    notrace_primitive,
    primitive,
)
from autodiff.compat.autograd.numpy.numpy_vjps import unbroadcast_f
from autodiff.compat.autograd.test_util import check_grads

X = np.array([0.5, 2.0, -1.0])


def scaled():
    """Return ``factor * x * y`` as a primitive, with both modes."""

    @primitive
    def product(x, y, factor=1.0):
        assert isinstance(x, (float, np.ndarray))
        assert isinstance(y, (float, np.ndarray))
        return factor * x * y

    defvjp(
        product,
        lambda ans, x, y, factor=1.0: unbroadcast_f(x, lambda g: factor * g * y),
        lambda ans, x, y, factor=1.0: unbroadcast_f(y, lambda g: factor * g * x),
    )
    defjvp(product, "same", lambda g, ans, x, y, factor=1.0: product(x, g, factor=factor))
    return product


@pytest.mark.parametrize(
    ("x", "y"),
    [(2.0, 3.0), (X, X + 1), (X, 3.0), (np.ones((2, 1)), X)],
    ids=["floats", "arrays", "mixed", "broadcast"],
)
def test_both_modes_to_second_order(x, y):
    product = scaled()
    check_grads(lambda x, y: product(x, y, factor=2.0), argnum=[0, 1])(x, y)
    assert np.array_equal(product(x, y), x * y)


def test_plain_calls_and_attributes():
    product = scaled()
    assert product.__name__ == "product"
    assert product.fun(2.0, 3.0) == 6.0
    assert type(product(2.0, 3.0)) is float


def test_with_variables_and_own_transforms():
    product = scaled()
    x = ad.Variable(3.0)
    product(x, x).backward()
    assert x.grad == 6.0
    assert ad.grad(lambda x: product(x, x))(2.0) == 4.0
    assert ad.hessian(lambda x: product(product(x, x), x))(2.0) == 12.0


def test_vjps_for_some_arguments():
    @primitive
    def scale(name, x, y):
        assert name == "name"
        return x * y

    defvjp(scale, lambda ans, name, x, y: lambda g: g * y, argnums=[1])
    assert grad(scale, 1)("name", 2.0, 3.0) == 3.0
    with pytest.raises(NotImplementedError, match="scale has no vjp for argument 2"):
        grad(scale, 2)("name", 2.0, 3.0)


def test_none_is_zero():
    @primitive
    def first(x, y):
        return x * 1.0

    defvjp(first, lambda ans, x, y: lambda g: g, None)
    defjvp(first, "same", None)
    assert grad(lambda x: first(x, x**2))(2.0) == 1.0
    assert deriv(lambda x: first(x, x**2))(2.0) == 1.0
    assert grad(first, 1)(2.0, 3.0) == 0.0
    assert deriv(first, 1)(2.0, 3.0) == 0.0


def test_without_derivatives():
    double = primitive(lambda x: 2.0 * x)
    assert double(3.0) == 6.0
    with pytest.raises(NotImplementedError, match="no vjp for argument 0"):
        grad(double)(1.0)
    with pytest.raises(NotImplementedError, match="no jvp for argument 0"):
        deriv(double)(1.0)


def test_not_a_primitive():
    with pytest.warns(UserWarning, match="sin is no primitive"):
        defvjp(np.sin, lambda ans, x: lambda g: g)


def test_one_maker_for_all_arguments():
    @primitive
    def power_sum(*args):
        return sum(arg**2 for arg in args)

    seen = []

    def maker(argnums, ans, args, kwargs):
        seen.append(argnums)
        return lambda g: tuple(2 * g * args[i] for i in argnums)

    defvjp_argnums(power_sum, maker)
    assert grad(power_sum, [0, 2])(1.0, 2.0, 3.0) == (2.0, 6.0)
    assert seen == [(0, 2)]
    defvjp_argnum(power_sum, lambda i, ans, args, kwargs: lambda g: 2 * g * args[i])
    assert grad(power_sum, 1)(1.0, 2.0, 3.0) == 4.0
    defjvp_argnum(power_sum, lambda i, g, ans, args, kwargs: 2 * g * args[i])
    assert deriv(lambda x: power_sum(x, x, 1.0))(3.0) == 12.0
    defjvp_argnums(
        power_sum,
        lambda argnums, gs, ans, args, kwargs: sum(
            2 * g * args[i] for i, g in zip(argnums, gs, strict=True)
        ),
    )
    assert deriv(lambda x: power_sum(x, x, 1.0))(3.0) == 12.0


def test_linear_functions():
    @primitive
    def contracted(x, y):
        return np.sum(x * y)

    def_linear(contracted)
    assert deriv(lambda x: contracted(x**2, x))(X) == pytest.approx(3 * np.sum(X**2))


def test_a_maker_runs_once_for_many_cotangents():
    made = []

    @primitive
    def solve(a, b):
        return np.linalg.solve(a, b)

    def maker(ans, a, b):
        made.append(1)
        inverse = np.linalg.inv(a)
        return lambda g: inverse.T @ g

    defvjp(solve, None, maker)
    a = np.array([[2.0, 1.0], [0.0, 4.0]])
    found = jacobian(solve, 1)(a, np.ones(2))
    np.testing.assert_allclose(found, np.linalg.inv(a))
    assert len(made) == 1


def test_vjp_only_is_enough_for_second_derivatives():
    @primitive
    def cube(x):
        return x**3

    defvjp(cube, lambda ans, x: lambda g: g * 3 * x**2)
    np.testing.assert_allclose(hessian(lambda x: np.sum(cube(x)))(X), np.diag(6 * X))
    assert grad(grad(grad(cube)))(2.0) == 6.0


def test_masked_branches_do_not_poison():
    @primitive
    def root(x):
        return np.sqrt(x)

    defvjp(root, lambda ans, x: lambda g: g * 0.5 / ans)
    assert grad(lambda x: np.where(x > 0, root(x), 0.0))(0.0) == 0.0
    assert grad(lambda x: np.where(x > 0, root(x), 0.0))(4.0) == 0.25


def test_containers():
    @primitive
    def both(params, x):
        return {"sum": params["a"] + params["b"][0] * x, "product": params["a"] * x}

    def of_params(ans, params, x):
        return lambda g: {"a": g["sum"] + g["product"] * x, "b": [g["sum"] * x]}

    def of_x(ans, params, x):
        return lambda g: g["sum"] * params["b"][0] + g["product"] * params["a"]

    defvjp(both, of_params, of_x)
    defjvp(
        both,
        lambda g, ans, params, x: {"sum": g["a"] + g["b"][0] * x, "product": g["a"] * x},
        lambda g, ans, params, x: {"sum": params["b"][0] * g, "product": params["a"] * g},
    )

    def loss(a, b, x):
        found = both({"a": a, "b": [b]}, x)
        return found["sum"] * found["product"] ** 2

    check_grads(loss, argnum=[0, 1, 2])(1.5, 2.0, 0.5)
    check_grads(lambda a: loss(a, 2.0, 0.5))(1.5)
    check_grads(lambda a, x: both({"a": a, "b": [3.0]}, x)["sum"], argnum=[0, 1])(1.5, 0.5)


def test_a_tuple_as_the_result():
    @primitive
    def halves(x):
        return x[:1], x[1:]

    defvjp(halves, lambda ans, x: lambda g: np.concatenate(g))
    assert grad(lambda x: np.sum(halves(x)[1] ** 2))(X).tolist() == [0.0, 4.0, -2.0]


def test_integers_become_floats():
    @primitive
    def count(x):
        return np.array([1, 2])

    defvjp(count, lambda ans, x: lambda g: 0.0 * x)
    assert jacobian(count)(2.0).tolist() == [0.0, 0.0]


def test_the_clients_arrays_stay_its_own():
    kept = np.ones(3)

    @primitive
    def cached(x):
        return kept

    def maker(ans, x):
        def pull(g):
            g += 1.0  # a client may write into what it gets
            return g * x

        return pull

    defvjp(cached, maker)
    seed = np.ones(3)
    pullback, value = make_vjp(cached)(X)
    assert np.array_equal(pullback(seed), 2 * X)
    assert np.array_equal(seed, np.ones(3))
    kept[0] = 5.0
    assert value[0] == 1.0


def test_cotangents_of_another_shape():
    @primitive
    def total(x, y):
        return np.sum(x) * y

    # One number stands for the same everywhere, more entries than there are do not.
    defvjp(total, lambda ans, x, y: lambda g: g * y, lambda ans, x, y: lambda g: g * x)
    assert grad(total)(X, 2.0).tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(ValueError, match=r"shape \(3,\) for argument 1, whose shape is \(\)"):
        grad(total, 1)(X, 2.0)


def test_tracked_keywords_and_closures_are_refused():
    product = scaled()
    with pytest.raises(TypeError, match="tracked factor="):
        grad(lambda x: product(1.0, 2.0, factor=x))(3.0)

    def inner(x):
        return primitive(lambda y: x * y)(x)

    with pytest.raises(TypeError, match="not among its arguments"):
        grad(inner)(2.0)


def test_notrace():
    @notrace_primitive
    def rounded(x):
        assert isinstance(x, (float, np.ndarray))
        return np.round(x)

    assert grad(lambda x: rounded(x) * x)(2.6) == 3.0


def test_methods_can_be_primitives():
    class Model:
        factor = 3.0

        @primitive
        def run(self, x):
            return self.factor * x

    defvjp(Model.run, lambda ans, self, x: lambda g: self.factor * g, argnums=[1])
    assert grad(Model().run)(2.0) == 3.0


def test_elementwise_of_a_primitive():
    @primitive
    def square(x):
        return x**2

    defvjp(square, lambda ans, x: lambda g: 2 * g * x)
    np.testing.assert_allclose(elementwise_grad(square)(X), 2 * X)
    np.testing.assert_allclose(elementwise_grad(elementwise_grad(square))(X), np.full(3, 2.0))
