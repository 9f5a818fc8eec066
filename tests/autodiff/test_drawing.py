"""Pictures of recorded graphs."""

import re
import shutil
import xml.etree.ElementTree

import numpy as np
import pytest

import autodiff as ad
from autodiff import drawing

DOT = pytest.mark.skipif(
    shutil.which("dot") is None, reason="the program `dot` of graphviz is not installed"
)


@pytest.fixture
def without_dot(monkeypatch):
    """Make graphviz impossible to find."""
    monkeypatch.setattr(drawing.shutil, "which", lambda program: None)


def texts(picture):
    """Return what stands in each part of a picture."""
    return [part.lines for part in picture._graph.parts]


def arrows(picture):
    """Return the arrows between parts as ``(from, to, label)``, by the line of the function."""
    parts = picture._graph.parts
    return [(parts[a].lines[0], parts[b].lines[0], text) for a, b, text in picture._graph.arrows]


def test_operations_leaves_and_arrows():
    x, y = ad.Variable([1.0, 2.0]), ad.Variable(3.0)
    picture = ad.draw(np.sum(np.sin(x) / y), names={"x": x, "y": y})
    assert texts(picture) == [
        ["x", "(2,) float64", "[1., 2.]"],
        ["y", "float", "3"],
        ["sin", "(2,) float64"],
        ["divide", "(2,) float64"],
        ["np.sum", "float64", "0.583589"],
    ]
    assert arrows(picture) == [
        ("x", "sin", ""),
        ("sin", "divide", "x"),
        ("y", "divide", "y"),
        ("divide", "np.sum", ""),
    ]
    assert [part.kind for part in picture._graph.parts] == ["leaf", "leaf", *["operation"] * 3]
    assert [part.result for part in picture._graph.parts] == [False] * 4 + [True]


def test_what_is_used_twice_is_drawn_once():
    x = ad.Variable(2.0)
    y = np.exp(x)
    picture = ad.draw(y * y + np.sin(y))
    assert [lines[0] for lines in texts(picture)].count("exp") == 1
    assert arrows(picture).count(("exp", "multiply", "")) == 2


def test_what_many_use_is_mentioned_beside_them():
    x, w = ad.Variable([1.0, 2.0]), ad.Variable([0.5, 0.25])
    y = x
    for _ in range(20):
        y = np.sin(w * y)
    picture = ad.draw(y, names={"x": x})
    kinds = [part.kind for part in picture._graph.parts]
    assert kinds.count("leaf") == 2
    assert kinds.count("mention") == 19
    assert texts(picture)[1] == ["leaf 0", "(2,) float64", "[0.5 , 0.25]"]
    assert texts(picture)[kinds.index("mention")] == ["leaf 0"]
    assert arrows(picture).count(("leaf 0", "multiply", "")) == 20
    assert repr(picture).startswith("<drawing of 40 operations and 2 leaves:")


def test_floats_have_values_and_constants_are_in_the_call():
    x = ad.Variable(2.0)
    assert texts(ad.draw(3.0 * x**2 - 1.0)) == [
        ["float", "2"],
        ["square", "float", "4"],
        ["multiply(3, y)", "float", "12"],
        ["subtract(x, 1)", "float", "11"],
    ]


def test_leaves_have_their_gradient():
    x = ad.Variable(2.0)
    y = x * x
    y.backward()
    assert texts(ad.draw(y))[0] == ["float", "2", "grad 4"]


def test_large_leaves_have_no_value_and_large_constants_are_described():
    x = ad.Variable(np.ones(50))
    picture = ad.draw(np.ones((50, 50)) @ x)
    assert texts(picture) == [
        ["(50,) float64"],
        ["np.matmul((50, 50) float64, b)", "(50,) float64"],
    ]


def test_a_leaf_alone():
    x = ad.Variable(2.0)
    picture = ad.draw(x, names={"x": x})
    assert texts(picture) == [["x", "float", "2"]]
    assert picture._graph.parts[0].result


def test_several_outputs_and_containers():
    a = ad.Variable([[2.0, 0.1], [0.1, 3.0]])
    values, vectors = np.linalg.eigh(a)
    picture = ad.draw({"values": values, "first": vectors[:, 0]}, names={"a": a})
    lines = [" | ".join(part) for part in texts(picture)]
    assert any(line.startswith("np.linalg.eigh") and "2 outputs" in line for line in lines)
    assert any(line.startswith("['values'] | output 0 of 2") for line in lines)
    assert any(line.startswith("['first'] | indexing [:, 0]") for line in lines)
    assert [part.result for part in picture._graph.parts].count(True) == 2
    assert sum(line.startswith("np.linalg.eigh") for line in lines) == 1


def test_one_result_under_two_names():
    x = ad.Variable(2.0)
    y = x * x
    picture = ad.draw([y, y])
    assert texts(picture)[-1] == ["[1]", "[0]", "multiply", "float", "4"]


def test_a_container_may_hold_what_is_no_variable():
    x = ad.Variable(2.0)
    assert len(texts(ad.draw([x * x, 1.0, np.zeros(2)]))) == 2


def test_names_of_containers_and_of_all_local_variables():
    parameters = {"w": [ad.Variable([1.0])], "b": ad.Variable(0.5)}
    loss = np.sum(parameters["w"][0] + parameters["b"])
    assert {lines[0] for lines in texts(ad.draw(loss, names={"p": parameters}))} >= {
        "p['w'][0]",
        "p['b']",
    }
    assert {lines[0] for lines in texts(ad.draw(loss, names=locals()))} >= {"parameters['b']"}


def test_custom_rules_and_checkpoints_have_the_name_of_their_function():
    @ad.checkpoint
    def block(x):
        return np.sin(x) * 2.0

    def twice(x):
        return 2.0 * x

    rule = ad.custom_rule(twice, vjp=lambda grad, out, x: 2.0 * grad)
    found = [lines[0] for lines in texts(ad.draw(rule(block(ad.Variable([1.0])))))]
    assert found == ["(1,) float64", "checkpoint of block", "twice"]


def test_inside_a_transform():
    seen = []

    def f(x):
        y = np.sin(x) * x
        seen.append(ad.draw(y, names={"x": x}))
        return y

    ad.grad(ad.grad(f))(2.0)
    assert texts(seen[0]) == [
        ["x", "float", "2"],
        ["sin", "float64"],
        ["multiply", "float64", "1.81859"],
    ]


def test_large_graphs_end_with_a_message():
    x = ad.Variable(1.0)
    y = x
    for _ in range(5000):
        y = np.sin(y)
    picture = ad.draw(y)
    assert len(picture._graph.parts) == drawing.LIMIT + 1
    assert texts(picture)[0] == ["4,801 more, not drawn", "limit=200"]
    assert "4,801 more not drawn" in repr(picture)
    assert ("4,801 more, not drawn", "sin", "") in arrows(picture)
    assert len(ad.draw(y, limit=None)._graph.parts) == 5001


def test_leaves_beside_the_newest_operations_are_kept():
    x = ad.Variable(0.5)
    y = x
    for _ in range(100):
        y = np.sin(y) * x
    found = texts(ad.draw(y, limit=10, names={"x": x}))
    assert found.count(["x", "float", "0.5"]) == 1
    assert len(found) == 11


def test_more_results_than_the_limit():
    x = ad.Variable(0.5)
    picture = ad.draw([np.sin(x), np.cos(x), np.exp(x)], limit=1)
    assert sum(part.result for part in picture._graph.parts) == 3


def test_a_very_long_chain():
    x = ad.Variable(1.0)
    y = x
    for _ in range(100_000):
        y = y * x
    assert ad.draw(y, limit=5)._graph.left_out == 100_001 - 5


def test_dot_and_mermaid_say_the_same():
    x = ad.Variable([1.0, 2.0])
    picture = ad.draw(np.sum(x**3))
    pairs = [(f"n{a}", f"n{b}") for a, b, _ in picture._graph.arrows]
    assert re.findall(r"(n\d+) -> (n\d+)", picture.dot) == pairs
    assert re.findall(r"(n\d+) --> (n\d+)", picture.mermaid) == pairs
    assert '"power(x, 3)\\n(2,) float64"' in picture.dot
    assert '"power(x, 3)<br/>(2,) float64"' in picture.mermaid


def test_texts_are_escaped():
    def risky(x):
        return 2.0 * x

    risky.__name__ = 'a "b" <c> \\n #1'
    rule = ad.custom_rule(risky, vjp=lambda grad, out, x: 2.0 * grad)
    picture = ad.draw(rule(ad.Variable(1.0)))
    assert 'a \\"b\\" <c> \\\\n #1' in picture.dot
    assert "a #quot;b#quot; #lt;c#gt; \\n #35;1" in picture.mermaid
    if shutil.which("dot"):
        xml.etree.ElementTree.fromstring(picture.svg)


@DOT
def test_svg_holds_every_text():
    x = ad.Variable([1.0, 2.0])
    picture = ad.draw(np.sum(np.sin(x) ** 3), names={"my x": x})
    root = xml.etree.ElementTree.fromstring(picture.svg)
    found = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert sorted(found) == sorted(line for lines in texts(picture) for line in lines)
    assert picture._repr_svg_() == picture.svg
    assert set(picture._repr_mimebundle_()) == {"text/plain", "image/svg+xml"}


@DOT
@pytest.mark.parametrize(
    ("suffix", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("PDF", b"%PDF")]
)
def test_saving_pictures(tmp_path, suffix, start):
    path = tmp_path / f"graph.{suffix}"
    ad.draw(ad.Variable(1.0) * 2.0).save(path)
    assert path.read_bytes().startswith(start)


@DOT
def test_an_error_of_dot_is_passed_on(monkeypatch):
    picture = ad.draw(ad.Variable(1.0) * 2.0)
    picture.__dict__["dot"] = "digraph {"
    with pytest.raises(RuntimeError, match=r"dot failed: .*syntax error"):
        _ = picture.svg


def test_saving_texts_needs_no_graphviz(tmp_path, without_dot):
    picture = ad.draw(ad.Variable(1.0) * 2.0)
    for suffix, content in [
        ("dot", picture.dot),
        ("gv", picture.dot),
        ("mmd", picture.mermaid),
        ("mermaid", picture.mermaid),
        ("md", f"```mermaid\n{picture.mermaid}```\n"),
    ]:
        path = tmp_path / f"graph.{suffix}"
        picture.save(str(path))
        assert path.read_text() == content


def test_without_graphviz(tmp_path, without_dot):
    picture = ad.draw(ad.Variable(1.0) * 2.0)
    with pytest.raises(RuntimeError, match=r"graphviz, which is not installed.*\.mermaid"):
        _ = picture.svg
    with pytest.raises(RuntimeError, match="drawing png needs"):
        picture.save(tmp_path / "graph.png")
    assert not (tmp_path / "graph.png").exists()
    assert picture._repr_svg_() is None
    bundle = picture._repr_mimebundle_()
    assert bundle["text/vnd.mermaid"] == picture.mermaid
    assert picture.mermaid in bundle["text/markdown"]


def test_wrong_suffix(tmp_path):
    with pytest.raises(ValueError, match=r"no format for the suffix '.jpeg'.*\.svg"):
        ad.draw(ad.Variable(1.0) * 2.0).save(tmp_path / "graph.jpeg")


def test_what_cannot_be_drawn():
    x = ad.Variable(2.0)
    with pytest.raises(TypeError, match=r"takes a Variable.*got a float"):
        ad.draw(1.0)
    with pytest.raises(TypeError, match=r"draw\(sin\(Variable\(x\)\)\)"):
        ad.draw(np.sin)
    with pytest.raises(TypeError, match="a list without any"):
        ad.draw([1.0, 2.0])
    with pytest.raises(ValueError, match="has no recorded graph"):
        ad.draw((x * x).detach())
    with pytest.raises(ValueError, match=r"the value\['a'\] has no recorded graph"):
        ad.draw({"a": (x * x).detach(), "b": x * x})
    with pytest.raises(ValueError, match="limit=0"):
        ad.draw(x * x, limit=0)
    with pytest.raises(TypeError, match="forward mode records no graph"):
        ad.jvp(ad.draw, (1.0,), (1.0,))
