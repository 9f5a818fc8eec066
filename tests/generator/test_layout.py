"""Lines are broken at the loosest operator, and mean the same."""

import ast

import pytest

from generator.layout import WIDTH, paragraph, statement

LONG = [
    " + ".join(f"np.function_number_{i}(x, y)" for i in range(8)),
    "np.where(x > 0.0, " + " * ".join(f"first_{i}" for i in range(12)) + ", " + "b" * 30 + ")",
    "grad * (" + " + ".join(f"term_number_{i} * (x - {i}.0)" for i in range(9)) + ")",
    " if condition_that_is_long else ".join(f"value_of_branch_{i}(x, y, z)" for i in range(4)),
    "f(" + " or ".join(f"(a_{i} > b_{i} and c_{i} <= d_{i})" for i in range(9)) + ")",
    "g(h(" + ", ".join(f"argument_{i}" for i in range(14)) + "))",
    "out, (" + " + ".join(f"term_{i} * factor_{i}" for i in range(8)) + ",)",
    "out, (" + ", ".join(f"term_{i} * factor_{i}" for i in range(8)) + ")",
    " | ".join(f"((x > {i}.0) & np.isnan(y_{i}))" for i in range(9)),
]


@pytest.mark.parametrize("expression", LONG)
@pytest.mark.parametrize("indent", [4, 8])
def test_long_statements_are_broken(expression, indent):
    lines = statement("return", expression, indent)
    assert len(lines) > 1
    assert max(map(len, lines)) <= WIDTH
    assert all(line.startswith(" " * indent) and line == line.rstrip() for line in lines)
    broken = ast.parse("\n".join(lines).strip().removeprefix("return "), mode="eval")
    assert ast.dump(broken) == ast.dump(ast.parse(expression, mode="eval"))


def test_short_statements_stay_on_one_line():
    assert statement("return", "a + b", tail=";") == ["    return a + b;"]
    assert statement("", "a") == ["    a"]


def test_paragraphs_are_filled():
    text = paragraph("word " * 50)
    assert max(len(line) for line in text.splitlines()) <= WIDTH
    assert text.split() == ["word"] * 50
