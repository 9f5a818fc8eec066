"""einsum: every form of its subscripts, and the cost of products of many operands."""

import numpy as np
import pytest

import autodiff as ad
from autodiff import Variable, grad


def made(*shapes):
    rng = np.random.default_rng(0)
    return [rng.uniform(-1.0, 1.0, shape) for shape in shapes]


ONE = [
    ("->", ()),
    ("ii", (3, 3)),
    ("ii->i", (3, 3)),
    ("ij->ji", (2, 3)),
    ("ji", (2, 3)),
    ("ij->ij", (2, 3)),
    ("ij->", (2, 3)),
    ("ij->j", (2, 3)),
    ("ij->i", (2, 0)),
    ("iij->j", (2, 2, 3)),
    ("iij->ij", (2, 2, 3)),
    ("iiijj->ji", (2, 2, 2, 3, 3)),
    ("i...", (2, 3)),
    ("i...->...", (2, 3, 2)),
    ("...ii->...i", (4, 3, 3)),
    ("ii...->i...", (3, 3, 2)),
    ("i...i", (3, 2, 3)),
    ("...", (2, 3)),
]
TWO = [
    (",", (), ()),
    (",i->i", (), (3,)),
    ("i,i", (3,), (3,)),
    ("i,j", (3,), (2,)),
    ("i,j->ji", (3,), (2,)),
    ("ij,jk", (2, 3), (3, 4)),
    ("ij,jk->ki", (2, 3), (3, 4)),
    ("kj,ij->ki", (2, 3), (4, 3)),
    (" i j , j k -> i k ", (2, 3), (3, 2)),
    ("aB,Bc", (2, 3), (3, 2)),
    ("ba,cb", (2, 3), (4, 2)),
    ("ij,j->", (2, 3), (3,)),
    ("ij,kl->jk", (2, 3), (3, 4)),
    ("ij,kl->", (2, 3), (3, 4)),
    ("ii,i->i", (3, 3), (3,)),
    ("iij,jkk->k", (2, 2, 3), (3, 4, 4)),
    ("ij,ij->ij", (2, 3), (2, 3)),
    ("bij,bj->bi", (4, 2, 3), (4, 3)),
    ("bi,bi->b", (4, 3), (4, 3)),
    ("bij,bjk->bik", (4, 2, 3), (4, 3, 2)),
    ("abij,bjk->kai", (2, 4, 2, 3), (4, 3, 2)),
    ("ijk,jkl->il", (2, 3, 2), (3, 2, 2)),
    ("ij,jk->ik", (0, 3), (3, 4)),
    ("ij,jk->ik", (2, 0), (0, 4)),
    ("...ij,...jk->...ik", (5, 2, 3), (3, 4)),
    ("...ij,...jk->...ik", (5, 1, 2, 3), (4, 3, 4)),
    ("i...,i...->...", (3, 2), (3, 2)),
    ("...i,...i", (2, 3), (3,)),
    ("...,...", (2, 3), (3,)),
    ("...ik,kj...->ij...", (5, 2, 3), (3, 4, 5)),
    ("a...b,b...->a...", (2, 4, 5, 3), (3, 5)),
]
SIZE_ONE = [
    ("ij,ij->ij", (1, 3), (2, 3)),
    ("ij,ij->j", (1, 3), (2, 3)),
    ("ij,ij->", (1, 3), (2, 1)),
    ("ij,jk", (2, 1), (3, 4)),
    ("ij,ij->ij", (0, 3), (1, 3)),
    ("ii,i->i", (1, 1), (3,)),
    ("ij,ij->ij", (1, 1), (1, 1)),
    ("ij,ij,ij->i", (2, 3), (1, 3), (2, 1)),
]
MANY = [
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)),
    ("i,ij,j->", (2,), (2, 3), (3,)),
    ("i,i,i->i", (3,), (3,), (3,)),
    ("ij,ik,il->jkl", (4, 2), (4, 3), (4, 2)),
    ("ii,ij,jkk,l->l", (2, 2), (2, 3), (3, 2, 2), (2,)),
    ("i,j,k->", (2,), (3,), (1,)),
    (",ij,->ji", (), (2, 2), ()),
    ("...i,ij,...j->...", (4, 2), (2, 3), (3,)),
    ("ab,bc,cd,de,ea", (2, 3), (3, 2), (2, 1), (1, 2), (2, 2)),
]


@pytest.mark.parametrize("case", ONE + TWO + SIZE_ONE + MANY, ids=str)
def test_derivatives(check_rule, case):
    subscripts, *shapes = case
    order = 2 if len(shapes) < 4 else 1
    check_rule(lambda *arrays: np.einsum(subscripts, *arrays), *made(*shapes), order=order)


LISTS = {
    "explicit": lambda a, b: np.einsum(a, [0, 1], b, [1, 2], [2, 0]),
    "implicit": lambda a, b: np.einsum(a, [1, 0], b, [2, 1]),
    "ellipsis": lambda a, b: np.einsum(a, [..., 0], b, [..., 0], [...]),
    "tuples": lambda a, b: np.einsum(a, (0, 30), b, (0, 30), ()),
    "Ellipsis in the result": lambda a, b: np.einsum(a, [Ellipsis, 1], b, [0, 1], [0, ...]),
}


@pytest.mark.parametrize("call", LISTS.values(), ids=LISTS)
def test_lists_of_labels(check_rule, call):
    check_rule(call, *made((2, 2), (2, 2)))


def test_one_operand_twice(check_rule):
    check_rule(lambda x: np.einsum("ij,ij->", x, x), *made((2, 3)))
    check_rule(lambda x: np.einsum("ij,kj,kl->il", x, x, x), *made((2, 2)))
    x = Variable([[1.0, 2.0], [3.0, 4.0]])
    np.einsum("ij,ij->", x, x).backward()
    np.testing.assert_array_equal(x.grad, 2 * x.value)


PATHS = (False, True, "greedy", "optimal", ("greedy", 4), ["einsum_path", (0, 2), (0, 1)])


@pytest.mark.parametrize("optimize", [*PATHS, ["einsum_path", (0, 1, 2)]], ids=str)
def test_paths(check_rule, optimize):
    check_rule(
        lambda a, b, c: np.einsum("ij,jk,kl->li", a, b, c, optimize=optimize),
        *made((2, 3), (3, 2), (2, 4)),
        order=1,
    )


def test_the_path_of_numpy_is_taken():
    arrays = made((2, 3), (3, 2), (2, 4))
    path = np.einsum_path("ij,jk,kl->li", *arrays)[0]
    found = np.einsum("ij,jk,kl->li", *map(Variable, arrays), optimize=path)
    np.testing.assert_allclose(found.value, np.einsum("ij,jk,kl->li", *arrays))
    assert np.einsum_path("ij,jk,kl->li", *map(Variable, arrays))[0] == path


def test_a_path_that_stops_early():
    with pytest.raises(ValueError, match="leaves 2 operands"):
        np.einsum("i,i,i->i", *map(Variable, made(2, 2, 2)), optimize=["einsum_path", (0, 1)])


def test_a_list_is_an_array():
    assert grad(lambda v: np.einsum("i,i", [1.0, 2.0], v))(np.ones(2)).tolist() == [1.0, 2.0]


def test_keywords_of_the_value():
    x = np.ones((2, 3), np.float32)
    found = np.einsum("ij->j", Variable(x), dtype=np.float64, order="C")
    assert found.dtype == np.float64
    assert grad(lambda v: np.einsum("ij->", v, dtype=np.float64))(x).dtype == np.float32
    with pytest.raises(TypeError, match="float64 cannot become float32"):
        np.einsum("i->", Variable(np.ones(2)), dtype=np.float32)
    found = np.einsum("i->", Variable(np.ones(2)), dtype=np.float32, casting="same_kind")
    assert found.dtype == np.float32


def test_the_result_is_a_value_of_its_own():
    x = Variable(np.ones((2, 2)))
    same = np.einsum("ij->ij", x)
    same += 1.0
    np.testing.assert_array_equal(x.value, np.ones((2, 2)))


def test_many_operands_cost_what_a_good_order_costs():
    # In one loop over all labels this takes 200**5 steps.
    a, v = np.eye(200) * 0.5, np.ones(200)
    found = grad(lambda m: np.einsum("a,ab,bc,cd,de,e->", v, m, m, m, m, v))(a)
    np.testing.assert_allclose(found, np.full((200, 200), 4 * 0.5**3))


MASKED = {
    "two": ("ij,j->i", lambda data, w: (data, w)),
    "three": ("i,ij,j->i", lambda data, w: (np.ones(3), data, w)),
    "in the other order": ("ij,i,j->i", lambda data, w: (data, np.ones(3), w)),
    "elementwise": ("ij,ij->ij", lambda data, w: (data, w * np.ones((3, 2)))),
}


@pytest.mark.parametrize(("subscripts", "operands"), MASKED.values(), ids=MASKED)
def test_rows_without_a_cotangent_count_as_zero(subscripts, operands):
    data = np.array([[1.0, 2.0], [np.nan, 3.0], [4.0, 5.0]])

    def loss(w):
        found = np.einsum(subscripts, *operands(data, w))
        return np.sum(
            np.where(np.isnan(found.value if isinstance(found, Variable) else found), 0.0, found)
        )

    want = [5.0, 7.0 if subscripts != "ij,ij->ij" else 10.0]
    np.testing.assert_array_equal(grad(loss)(np.array([0.5, -1.0])), want)


ERRORS = [
    ("ij,jk", [(2, 3)], "2 subscripts for 1 operands"),
    ("ij->ijk", [(2, 3)], "that no operand has"),
    ("ij->ii", [(2, 3)], "twice"),
    ("ij->...j...", [(2, 3)], "letters"),
    ("i->i", [(2, 3)], "'i' do not fit an operand with 2 axes"),
    ("ijk", [(2, 3)], "'ijk' do not fit"),
    ("i...j...", [(2, 3)], "letters and '...'"),
    ("i1", [(2, 3)], "letters"),
    ("...i->i", [(2, 3)], "no '...'"),
    ("ij,jk", [(2, 3), (2, 3)], "sizes 3 and 2"),
    ("ii", [(2, 3)], "sizes 2 and 3"),
    ("ii", [(1, 3)], "do(n't| not) match"),
    ("ij->i->j", [(2, 3)], "letters"),
]


@pytest.mark.parametrize(("subscripts", "shapes", "words"), ERRORS)
def test_what_is_wrong_is_said(subscripts, shapes, words):
    arrays = made(*shapes)
    with pytest.raises(ValueError, match=r"einstein|dimensions|operand"):
        np.einsum(subscripts, *arrays)
    with pytest.raises(ValueError, match=words):
        np.einsum(subscripts, *map(Variable, arrays))


def test_all_derivatives_of_a_bilinear_form():
    a, x, y = made((3, 2), (3,), (2,))

    def form(x, y):
        return np.einsum("i,ij,j->", x, a, y)

    second = ad.hessian(form, (0, 1))(x, y)
    np.testing.assert_allclose(second[0][1], a)
    np.testing.assert_allclose(second[1][0], a.T)
    np.testing.assert_array_equal(second[0][0], np.zeros((3, 3)))
