"""Our helpers in the words of other engines: Python to Python, and C to Python."""

import ast
import math

import pytest

from generator.errors import Unsupported
from generator.targets.c_expressions import Reader, tokens
from generator.targets.c_functions import FUNCTION, Statements, _function
from generator.targets.dialect import Dialect, complaint, spoken
from generator.targets.pieces import Piece, pieces
from generator.targets.prune import pruned

JNP = Dialect(
    library="jnp",
    names=frozenset({"where", "exp", "abs", "ones_like", "asarray"}),
    special={"erf": "special.erf"},
    words={"np.float64": "float", "astype": "to"},
)


def piece(source):
    node = ast.parse(source).body[0]
    return Piece("activations", node.name, node, tuple(source.splitlines()), 1)


HELPER = '''def half(x: Any) -> Any:
    """Return half of it.

    >>> half(1.0)
    0.5
    """
    if is_complex(x):
        return x[0] / 2
    x = np.asarray(x, np.float64)
    with np.errstate(all="ignore"):
        if np.abs(x).any():
            x = np.where(x > 0.0, x, np.exp(x))
    return (0.5 * x).astype(x.dtype)[()]
'''


def test_a_helper_in_another_dialect():
    assert complaint(piece(HELPER), JNP) == ""
    assert spoken(piece(HELPER), JNP) == '''def _half(x: Any) -> Any:
    """Return half of it."""
    x = jnp.asarray(x, float)
    x = jnp.where(x > 0.0, x, jnp.exp(x))
    return (0.5 * x).to(x.dtype)[()]
'''  # fmt: skip


def test_numpy_is_said_as_it_is_without_examples():
    code = spoken(piece(HELPER), Dialect())
    assert ">>>" not in code
    assert "with np.errstate" in code
    assert "is_complex" in code


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("x[x > 0.0] = 1.0", "takes parts of arrays"),
        ("y = x[x > 0.0]", "takes parts of arrays"),
        ("y = np.frexp(x)", "needs np.frexp"),
        ("y = special.erfcx(x)", "needs scipy.special.erfcx"),
        ("y = 1.0 if x > 0.0 else 2.0", "branches on numbers"),
        ("y = x.ravel()", "calls the method ravel"),
        ("y = float(x)", "takes a number out of an array"),
    ],
)
def test_what_cannot_be_said(line, why):
    source = f"def helper(x):\n    {line}\n    return x\n"
    assert why in complaint(piece(source), JNP)


def test_orders_may_be_branched_on():
    source = (
        "def helper(n, x):\n    n, x = int(n), np.exp(x)\n"
        "    for k in range(n):\n        x = x if k > 1 else 2.0 * x\n    return x\n"
    )
    assert complaint(piece(source), JNP) == ""


def test_pieces_come_after_what_they_need():
    names = [module for module, _ in pieces()]
    assert names.index("twofold") < names.index("powers")


@pytest.mark.parametrize(
    ("c", "python"),
    [
        ("a + b * c", "a + b * c"),
        ("(a + b) * c", "(a + b) * c"),
        ("a - (b - c)", "a - (b - c)"),
        ("a / (b * c)", "a / (b * c)"),
        ("x < 0.0 ? -x : x", "-x if x < 0.0 else x"),
        ("(x > y ? x : y) / 2.0", "(x if x > y else y) / 2.0"),
        ("!(x > 1.0 && y > 1.0)", "not (x > 1.0 and y > 1.0)"),
        ("a && b || c", "(a and b) or c"),
        ("!x == 0.0", "(not x) == 0.0"),
        ("-fabs(x)", "-math.fabs(x)"),
        ("(int)n + 1", "int(n) + 1"),
        ("0x1p-960 * x", "2.0**-960 * x"),
        ("k / 2", "int(k / 2)"),
        ("1.0 / k", "1.0 / k"),
        ("ad_support_gauss(x, 1.0)", "_raw_gauss(x, 1.0)"),
        ("rint(lambda)", "np.rint(lambda_)"),
        ("INFINITY", "math.inf"),
    ],
)
def test_expressions_of_c(c, python):
    assert Reader(tokens(c), whole={"k"}).expression()[0] == python


@pytest.mark.parametrize("c", ["x << 2", "M_PI * x", "strlen(x)", "modf(x, &y)"])
def test_expressions_that_are_refused(c):
    reader = Reader(tokens(c))
    with pytest.raises(Unsupported, match="C "):
        reader.take(str(reader.expression()[0]) and ";")


def translated(body, parameters="double x", names=None):
    match = FUNCTION.search(f"static inline double ad_support_f({parameters})\n{{\n{body}\n}}\n")
    found = _function(match)
    names = {"math": math, **(names or {})}
    exec("\n".join(found.lines), names)
    return names["_raw_f"], found


def test_statements_of_c():
    function, _ = translated(
        "    static const double w[] = {1.0, 2.0, 3.0};\n"
        "    double sum = 0, at = x;\n"
        "    int k;\n"
        "    for (k = 2; k >= 0; k--)\n"
        "        sum += w[k] * k;\n"
        "    for (; at < 4.0; at += 1.0) {\n"
        "        if (at == 2.0)\n"
        "            continue;\n"
        "        else if (at > 3.0)\n"
        "            break;\n"
        "        sum *= 2.0;\n"
        "    }\n"
        "    return sum;"
    )
    assert function(1.0) == 32.0
    assert function(4.0) == 8.0


def test_a_counter_that_is_read_after_its_loop():
    function, found = translated(
        "    int k;\n    for (k = 0; k < 5; k++)\n        x += 1.0;\n    return x + k;"
    )
    assert function(0.0) == 10.0
    assert "    while k < 5:" in found.lines


def test_a_fraction_and_its_exponent():
    function, _ = translated(
        "    int e;\n    double m = frexp(x, &e);\n    return ldexp(m, e) + e;"
    )
    assert function(8.0) == 12.0


def test_a_function_that_calls_itself_has_a_twin():
    function, found = translated(
        "    return x < 0.0 ? ad_support_f(-x) + 1.0 : 2.0 * x;", names={"_njit": lambda f: f}
    )
    assert function(-3.0) == 7.0
    assert found.lines[0] == "def _raw_f_once(x):"
    assert found.calls == ()


def test_a_function_that_takes_an_address_is_refused():
    match = FUNCTION.search("static inline double ad_support_f(double *x)\n{\n    return *x;\n}\n")
    assert _function(match).reason == "C has parameters that are not numbers"


def test_statements_end():
    with pytest.raises(Unsupported, match="in the place of ';'"):
        list(Statements(tokens("x = 1.0 y = 2.0;")).block_of_function())


def test_what_is_out_of_reach_goes():
    source = (
        "import math\nimport sys\n\n\n# Half.\ndef _half(x):\n    return x / 2\n\n\n"
        "def _unused(x):\n    return math.pi * x\n\n\ndef public(x):\n    return _half(x)\n"
    )
    assert pruned(source) == (
        "# Half.\ndef _half(x):\n    return x / 2\n\n\ndef public(x):\n    return _half(x)\n"
    )
