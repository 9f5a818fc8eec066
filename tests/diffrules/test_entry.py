"""A wrong entry is refused when it is written: its name, what is wrong, and the remedy."""

import dataclasses
import math

import pytest
import sympy
from sympy import Derivative, DiracDelta, Function, Subs, cos, exp, im, oo, re, sin, zoo

from diffrules import RULES
from diffrules.entry import RuleError, as_float, later, not_differentiable, point
from diffrules.guards import indicator, out, symbol, x, y
from diffrules.table import rule

pytestmark = pytest.mark.usefixtures("scratch")
REALS = {x: (-oo, oo)}
PLANE = {x: (-oo, oo), y: (-oo, oo)}
t = symbol("t")


def write(name="twice", args=(x,), value=None, partials=None, domain=None, **fields):
    """Write an entry that is right but for the fields given."""
    value = 2 * x if value is None else value
    partials = {x: 2} if partials is None else partials
    return rule(name, args, value, partials, domain=REALS if domain is None else domain, **fields)


WRONG = {
    "no partial for an argument": (
        {"args": (x, y), "value": x * y, "partials": {x: y}, "domain": PLANE},
        r"no partial for y; write partials=\{y: \.\.\.\}, 0, or not_differentiable",
    ),
    "a partial for no argument": (
        {"partials": {x: 2, y: 0}},
        r"a partial for y, which is not in args; remove it",
    ),
    "no arguments": (
        {"args": (), "value": sympy.Integer(2), "partials": {}, "domain": {}},
        r"it has no arguments; give args=\(x,\) or more",
    ),
    "a name that is no identifier": (
        {"name": "two times"},
        r"'two times' is not a Python identifier",
    ),
    "an alias that is no identifier": (
        {"aliases": ("2x",)},
        r"'2x' is not a Python identifier",
    ),
    "a reserved word as an argument": (
        {"args": (symbol("grad"),), "value": symbol("grad"), "partials": {symbol("grad"): 1},
         "domain": {symbol("grad"): (-oo, oo)}},
        r"the symbol 'grad' has a fixed meaning in generated code; choose another name",
    ),
    "a let with the name of an argument": (
        {"let": {x: sin(x)}},
        r"x is an argument and a let name; rename the let",
    ),
    "an unknown symbol in the value": (
        {"value": 2 * x + t},
        r"value uses t, which is none of x; use those, or bind it in let before",
    ),
    "out in the value": (
        {"value": x + out},
        r"value uses out, which is none of x",
    ),
    "an unknown symbol in a partial": (
        {"partials": {x: 2 * t}},
        r"partials\[x\] uses t, which is none of out, x",
    ),
    "a let before the one it needs": (
        {"let": {y: 2 * t, t: exp(x)}, "partials": {x: y}},
        r"let\[y\] uses t, which is none of out, x",
    ),
    "an unknown symbol in a callee": (
        {"numpy": 2 * y},
        r"numpy uses y, which is none of x",
    ),
    "a point that lacks an argument": (
        {"args": (x, y), "value": x * y, "partials": {x: y, y: x}, "domain": PLANE,
         "at": [point({x: 0}, {x: 0, y: 0}, "a saddle")]},
        r"the point x = 0 does not name exactly the arguments x, y; write point\(\{x: \.\.\., ",
    ),
    "a point that lacks a partial": (
        {"at": [point({x: 0}, {}, "nothing special")]},
        r"the point x = 0 gives partials for nothing; give one for each of x",
    ),
    "a point with a partial where there is none": (
        {"partials": {x: not_differentiable("an index")},
         "at": [point({x: 0}, {x: 1}, "nothing special")]},
        r"the point x = 0 gives partials for x; give one for each of ",
    ),
    "a point without a reason": (
        {"at": [point({x: 0}, {x: 2}, "")]},
        r"the point x = 0 has no reason; say why in a few words",
    ),
    "a domain that does not name the arguments": (
        {"domain": {y: (-oo, oo)}},
        r"a box of the domain names y, the arguments are x; give one interval for each",
    ),
    "Derivative": (
        {"partials": {x: Derivative(Function("f")(x), x)}},
        r"partials\[x\] contains Derivative, which no generated code can compute; write .* by hand",
    ),
    "Subs": (
        {"partials": {x: Subs(Derivative(Function("f")(t), t), t, x)}, "let": {}},
        r"contains (Derivative|Subs), which no generated code can compute",
    ),
    "DiracDelta": (
        {"partials": {x: DiracDelta(x)}},
        r"partials\[x\] contains DiracDelta",
    ),
    "re": (
        {"value": re(sympy.Symbol("x") * sympy.I).xreplace({sympy.Symbol("x"): x})
         + re(Function("f")(x), evaluate=False)},
        r"value contains re",
    ),
    "im": (
        {"let": {t: im(Function("f")(x), evaluate=False)}, "partials": {x: t}},
        r"let\[t\] contains im",
    ),
    "complex infinity": (
        {"partials": {x: zoo}},
        r"partials\[x\] contains zoo or nan; say what happens there in at=\[point",
    ),
    "complex infinity in a let": (
        {"let": {t: zoo * y}, "args": (x, y), "value": x * y, "partials": {x: t, y: x},
         "domain": PLANE},
        r"let\[t\] contains zoo or nan; say what happens there in at=\[point",
    ),
    "complex infinity in a form": (
        {"math": zoo * x},
        r"math contains zoo or nan",
    ),
    "an unknown symbol in a complex partial": (
        {"complex": {x: 2 * t}},
        r"complex\[x\] uses t, which is none of out, x",
    ),
    "Derivative in a form": (
        {"numpy": Derivative(Function("f")(x), x)},
        r"numpy contains Derivative",
    ),
    "a field complex of another kind": (
        {"complex": True},
        r"complex is neither real_only nor \{argument: partial\}",
    ),
    "a complex partial of no argument": (
        {"complex": {y: 2 * x}},
        r"complex\[y\] is for no argument with a partial; remove it",
    ),
    "a value of reals only": (
        {"value": 2 * sympy.Abs(x)},
        r"value contains Abs\(x\), which is for real numbers; write complex=real_only",
    ),
    "a comparison": (
        {"partials": {x: indicator(x > 0)}},
        r"partials\[x\] contains x > 0, which is for real numbers",
    ),
    "a partial of reals only in the place of another": (
        {"complex": {x: sympy.sign(x)}},
        r"complex\[x\] contains sign\(x\), which is for real numbers",
    ),
    "a form of reals only": (
        {"numpy": sympy.Max(x, 0)},
        r"numpy contains Max\(0, x\), which is for real numbers",
    ),
    "a let of reals only": (
        {"let": {t: sympy.floor(x)}, "partials": {x: 2 * t}},
        r"let\[t\] contains floor\(x\), which is for real numbers",
    ),
    "a call of a function of reals only": (
        {"value": later("hypot", 2)(x, 1)},
        r"value contains hypot\(x, 1\), which is for real numbers",
    ),
    "an error below 0": (
        {"off": -1e-9, "numpy": "special.twice"},
        r"off is -1e-09; write a share of the value, such as 1e-9",
    ),
    "an error that is no number": (
        {"off": math.nan, "numpy": "special.twice"},
        r"off is nan; write a share of the value",
    ),
    "an error in words": (
        {"off": "1e-9", "numpy": "special.twice"},
        r"off is '1e-9'; write a share of the value",
    ),
    "an error of no library": (
        {"off": 1e-9},
        r"numpy= names none; write numpy=\"special\.name\", or remove off",
    ),
    "an error of a function of ours": (
        {"off": 1e-9, "numpy": "support.twice"},
        r"off is the error of a function of NumPy or SciPy, and numpy= names none",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "message"), WRONG.values(), ids=WRONG)
def test_wrong_entry_is_refused(fields, message):
    before = dict(RULES)
    with pytest.raises(RuleError, match=message) as caught:
        write(**fields)
    assert str(caught.value).startswith(f"entry {fields.get('name', 'twice')!r} at {__name__}:")
    assert before == RULES


def test_the_place_of_a_wrong_entry_is_named():
    with pytest.raises(RuleError, match=rf"entry 'twice' at {__name__}:\d+: "):
        write(partials={x: 2, y: 0})


@pytest.mark.parametrize("called", ["np.twice", "special.twice[1]", ("special.twice", "np.twice")])
def test_a_library_may_be_off(called):
    assert write(off=1e-9, numpy=called).off == 1e-9


def test_duplicate_names_both_places():
    first = write()
    with pytest.raises(RuleError) as caught:
        rule("twice", args=(x,), value=x + x, partials={x: 2}, domain=REALS)
    text = str(caught.value)
    assert first.place in text
    assert f"{__name__}:{caught.traceback[0].lineno + 1}" in text
    assert "is already at" in text
    assert "change one of the two names" in text
    assert RULES["twice", 1] is first


def test_the_same_name_with_another_number_of_arguments_is_another_entry():
    one = write()
    two = write(args=(x, y), value=2 * x * y, partials={x: 2 * y, y: 2 * x}, domain=PLANE)
    assert RULES["twice", 1] is one
    assert RULES["twice", 2] is two


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(RULES["sin", 1])])
def test_an_entry_is_frozen(name):
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(RULES["sin", 1], name, None)


def test_an_entry_knows_where_it_is():
    entry = RULES["hypot", 2]
    assert entry.key == ("hypot", 2)
    assert entry.family == "powers"
    assert entry.place == f"diffrules.powers:{entry.line}"


def test_an_announced_entry_that_is_not_written():
    call = later("never_written")(x)
    with pytest.raises(RuleError, match=r"later\('never_written'\) announces an entry .* lacks"):
        call.diff(x)


def test_an_announced_entry_is_the_entry():
    call = later("written_soon")(y)
    entry = write(name="written_soon")
    assert call == entry(y)
    assert call.diff(y) == 2


def test_the_value_of_a_call_is_put_in_after_its_arguments():
    twice = write(name="half_gauss", value=exp(-(x**2) / 2), partials={x: -x * out})
    assert twice(3 * x).diff(x) == -9 * x * twice(3 * x)


def test_a_missing_derivative_is_refused_with_its_reason():
    entry = write(partials={x: not_differentiable("an index has none")})
    with pytest.raises(RuleError, match="argument 1 has no derivative: an index has none"):
        entry(x).diff(x)


def test_let_is_put_in_from_the_last_to_the_first():
    entry = write(value=sin(exp(x)), let={t: exp(x), y: cos(t)}, partials={x: t * y})
    assert entry(2 * x).diff(x) == 2 * exp(2 * x) * cos(exp(2 * x))


@pytest.mark.parametrize(
    ("number", "right"),
    [(sympy.Rational(1, 4), 0.25), (sympy.oo, math.inf), (-sympy.oo, -math.inf), (3, 3.0)],
)
def test_numbers_of_an_entry_as_floats(number, right):
    assert as_float(number) == right


def test_signs_of_zeros_and_nan_are_kept():
    assert math.copysign(1, as_float(-0.0)) == -1
    assert math.isnan(as_float(sympy.nan))
