"""What `repr` and notebooks show of tracked values."""

import numpy as np
import pytest

import autodiff as ad


def test_a_leaf_shows_its_value_and_its_gradient():
    x = ad.Variable([1.0, 2.0])
    assert repr(x) == "Variable([1., 2.])"
    np.sum(x**2).backward()
    assert repr(x) == "Variable([1., 2.], grad=[2., 4.])"
    assert f"{ad.Variable(1.5)}" == "1.5"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.5, "Variable(1.5)"),
        (1 + 2j, "Variable((1+2j))"),
        (np.float64(1.5), "Variable(1.5)"),
        (np.float32(1.5), "Variable(1.5, dtype=float32)"),
        (np.array(2.0), "Variable(2.0)"),
        (np.array([1j]), "Variable([0.+1.j])"),
        (np.zeros((0, 3)), "Variable([])"),
        (np.array([1.0], np.float16), "Variable([1.], dtype=float16)"),
    ],
)
def test_values_of_every_kind(value, text):
    assert repr(ad.Variable(value)) == text


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (lambda x: np.sin(x), "sin"),
        (lambda x: x**3, "power(x, 3)"),
        (lambda x: 2.5 * x, "multiply(2.5, y)"),
        (lambda x: x + x, "add"),
        (lambda x: np.sum(x, axis=0), "np.sum(axis=0)"),
        (lambda x: x[0], "indexing [0]"),
        (lambda x: x[1:, None], "indexing [1:, None]"),
        (lambda x: np.eye(3) @ x, "np.matmul((3, 3) float64, b)"),
    ],
)
def test_a_result_says_what_made_it(made, text):
    shown = repr(made(ad.Variable([1.0, 2.0, 3.0])))
    assert shown.endswith(f"from {text})")
    assert shown.startswith("Variable(")


def test_a_float_says_what_made_it():
    assert repr(ad.Variable(2.0) * 3.0) == "Variable(6.0, from multiply(x, 3))"


def test_without_history_nothing_made_it():
    x = ad.Variable(2.0)
    assert repr((x * 3.0).detach()) == "Variable(6.0)"
    with ad.no_grad():
        assert repr(x * 3.0) == "Variable(6.0)"


def test_long_texts_have_a_line_for_each_part():
    x = ad.Variable(np.eye(2))
    np.sum(x * x).backward()
    lines = repr(x).splitlines()
    assert lines == [
        "Variable([[1., 0.],",
        "          [0., 1.]],",
        "         grad=[[2., 0.],",
        "               [0., 2.]])",
    ]


def test_large_arrays_show_their_corners_and_shape():
    text = repr(ad.Variable(np.arange(6000.0).reshape(2000, 3)))
    assert "..." in text
    assert text.endswith("shape=(2000, 3))")
    assert len(text) < 500


def test_under_detect_anomaly_they_look_the_same():
    seen = []
    with ad.detect_anomaly():
        assert repr(np.sin(ad.Variable(0.0))) == "Variable(0.0, from sin)"
        ad.jvp(lambda x: seen.append(repr(x)) or x * x, (2.0,), (3.0,))
    assert seen == ["Dual(2.0, tangent=3.0)"]


def test_a_dual_shows_its_tangent():
    seen = []
    ad.jvp(lambda x: seen.append(repr(x)) or x * x, (2.0,), (3.0,))
    assert seen == ["Dual(2.0, tangent=3.0)"]


def test_inside_nested_transforms_the_inner_value_is_shown():
    seen = []
    ad.grad(ad.grad(lambda x: seen.append(repr(2 * x)) or x**3))(2.0)
    inner = "Variable(4.0, from multiply(2, y))"
    assert seen == [f"Variable({inner}, from multiply(2, y))"]


def test_the_page_of_a_notebook():
    x = ad.Variable([1.0, 2.0])
    y = np.sum(x * x)
    y.backward()
    assert "<b>Variable</b>, (2,) float64" in x._repr_html_()
    assert ">grad<" in x._repr_html_()
    assert "[2., 4.]" in x._repr_html_()
    assert "from <code>np.sum</code>" in y._repr_html_()
    assert ">grad<" not in y._repr_html_()


def test_the_page_of_a_dual():
    seen = []
    ad.jvp(lambda x: seen.append(x._repr_html_()) or x * x, (2.0,), (3.0,))
    assert "<b>Dual</b>, float" in seen[0]
    assert ">tangent<" in seen[0]


def test_what_users_named_is_escaped():
    def risky(x):
        return 2.0 * x

    risky.__name__ = "<script>&"
    rule = ad.custom_rule(risky, vjp=lambda grad, out, x: 2.0 * grad)
    page = rule(ad.Variable(1.0))._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;&amp;" in page


def test_the_page_of_a_large_array_is_short_and_says_where_it_lies():
    value = np.arange(10_000.0).reshape(100, 100)
    value[0, :2] = np.nan, np.inf
    page = ad.Variable(value)._repr_html_()
    assert "entries 2 to 9999, 2 infinite or NaN" in page
    assert len(page) < 2000
    assert "entries" not in ad.Variable(np.full(1000, np.nan))._repr_html_()
    assert "1,000 infinite or NaN" in ad.Variable(np.full(1000, np.nan))._repr_html_()
