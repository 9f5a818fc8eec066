"""The picture of a program has a box for each value and an arrow for each that reads it."""

import numpy as np

import autodiff as ad


def test_boxes_and_arrows():
    compiled = ad.compile(lambda x, y: np.sum(np.sin(x) * y), backend="numpy")
    drawing = compiled.draw(np.ones(3), np.ones(3))
    assert repr(drawing).startswith("<drawing of 3 operations and 2 leaves")
    assert "t0 = sin(a0)" in drawing.mermaid
    assert "float64[3]" in drawing.mermaid
    assert [line.strip() for line in drawing.dot.splitlines() if "->" in line] == [
        "n0 -> n2",
        "n2 -> n3",
        "n1 -> n3",
        "n3 -> n4",
    ]
