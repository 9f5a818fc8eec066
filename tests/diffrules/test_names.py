"""The functions of DiffRules.jl beside ours: a gap is explained, or it is an error."""

import pytest

from diffrules import hasdiffrule


class Gap(str):
    """Why a function of DiffRules.jl is not in our table."""


# The module, the name and the number of arguments there; our name, with as many arguments unless
# another number is given, or why there is none.
BASE = {
    ("+", 1): "positive", ("-", 1): "negative", ("sqrt", 1): "sqrt", ("cbrt", 1): "cbrt",
    ("abs2", 1): "abs2", ("inv", 1): "inv", ("log", 1): "log", ("log10", 1): "log10",
    ("log2", 1): "log2", ("log1p", 1): "log1p", ("exp", 1): "exp", ("exp2", 1): "exp2",
    ("exp10", 1): "exp10", ("expm1", 1): "expm1", ("sin", 1): "sin", ("cos", 1): "cos",
    ("tan", 1): "tan", ("sec", 1): "sec", ("csc", 1): "csc", ("cot", 1): "cot",
    ("sind", 1): "sind", ("cosd", 1): "cosd", ("tand", 1): "tand", ("secd", 1): "secd",
    ("cscd", 1): "cscd", ("cotd", 1): "cotd", ("sinpi", 1): "sinpi", ("cospi", 1): "cospi",
    ("asin", 1): "asin", ("acos", 1): "acos", ("atan", 1): "atan", ("asec", 1): "asec",
    ("acsc", 1): "acsc", ("acot", 1): "acot", ("asind", 1): "asind", ("acosd", 1): "acosd",
    ("atand", 1): "atand", ("asecd", 1): "asecd", ("acscd", 1): "acscd", ("acotd", 1): "acotd",
    ("sinh", 1): "sinh", ("cosh", 1): "cosh", ("tanh", 1): "tanh", ("sech", 1): "sech",
    ("csch", 1): "csch", ("coth", 1): "coth", ("asinh", 1): "asinh", ("acosh", 1): "acosh",
    ("atanh", 1): "atanh", ("asech", 1): "asech", ("acsch", 1): "acsch", ("acoth", 1): "acoth",
    ("sinc", 1): "sinc", ("deg2rad", 1): "deg2rad", ("mod2pi", 1): "mod2pi",
    ("rad2deg", 1): "rad2deg", ("abs", 1): "abs",
    ("+", 2): "add", ("-", 2): "subtract", ("*", 2): "multiply", ("/", 2): "divide",
    ("\\", 2): Gap("divide(y, x)"), ("^", 2): "power", ("atan", 2): "atan2",
    ("hypot", 2): "hypot", ("log", 2): "log_base", ("ldexp", 2): "ldexp", ("mod", 2): "mod",
    ("rem", 2): "rem", ("max", 2): "maximum", ("min", 2): "minimum",
    ("rem2pi", 2): Gap("rem2pi(x) rounds to the nearest, mod2pi(x) down"),
}  # fmt: skip
SPECIAL_FUNCTIONS = {
    ("gamma", 1): "gamma", ("loggamma", 1): "loggamma", ("erf", 1): "erf", ("erfinv", 1): "erfinv",
    ("erfc", 1): "erfc", ("logerfc", 1): "logerfc", ("erfcinv", 1): "erfcinv",
    ("erfi", 1): "erfi", ("erfcx", 1): "erfcx", ("logerfcx", 1): "logerfcx",
    ("dawson", 1): "dawsn", ("digamma", 1): "digamma", ("invdigamma", 1): "invdigamma",
    ("trigamma", 1): "trigamma", ("airyai", 1): "airyai", ("airyaiprime", 1): "airyaiprime",
    ("airyaix", 1): "airyaix", ("airyaiprimex", 1): "airyaiprimex", ("airybi", 1): "airybi",
    ("airybiprime", 1): "airybiprime", ("airybix", 1): "airybix",
    ("airybiprimex", 1): "airybiprimex", ("besselj0", 1): "j0", ("besselj1", 1): "j1",
    ("bessely0", 1): "y0", ("bessely1", 1): "y1", ("sinint", 1): "sinint",
    ("cosint", 1): "cosint", ("ellipk", 1): "ellipk", ("ellipe", 1): "ellipe",
    ("expint", 1): "exp1", ("erf", 2): "erf_between", ("besselj", 2): "jv",
    ("besseljx", 2): "jve", ("besseli", 2): "iv", ("besselix", 2): "ive", ("bessely", 2): "yv",
    ("besselyx", 2): "yve", ("besselk", 2): "kv", ("besselkx", 2): "kve",
    **{(name, 2): Gap("complex for real arguments, which the table is not: jv and yv are its parts")
       for name in ("besselh", "besselhx", "hankelh1", "hankelh1x", "hankelh2", "hankelh2x")},
    ("polygamma", 2): "polygamma", ("beta", 2): "beta", ("logbeta", 2): "betaln",
    ("expint", 2): "expn", ("zeta", 2): "zeta",
}  # fmt: skip
# NaN where Base raises: so do NumPy's functions, and ours of Python floats (docs/conventions.md).
NAN_MATH = {
    ("sqrt", 1): "sqrt", ("sin", 1): "sin", ("cos", 1): "cos", ("tan", 1): "tan",
    ("asin", 1): "asin", ("acos", 1): "acos", ("acosh", 1): "acosh", ("atanh", 1): "atanh",
    ("log", 1): "log", ("log2", 1): "log2", ("log10", 1): "log10", ("log1p", 1): "log1p",
    ("lgamma", 1): "gammaln", ("pow", 2): "pow", ("max", 2): "fmax", ("min", 2): "fmin",
}  # fmt: skip
LOG_EXP_FUNCTIONS = {
    ("xlogx", 1): "xlogx", ("logistic", 1): "logistic", ("logit", 1): "logit",
    ("log1psq", 1): "log1psq", ("log1pexp", 1): "softplus", ("log1mexp", 1): "log1mexp",
    ("log2mexp", 1): "log2mexp", ("logexpm1", 1): "logexpm1", ("log1pmx", 1): "log1pmx",
    ("logmxp1", 1): "logmxp1", ("xlogy", 2): "xlogy", ("logaddexp", 2): "logaddexp",
    ("logsubexp", 2): "logsubexp", ("xlog1py", 2): "xlog1py",
}  # fmt: skip
MODULES = {
    "Base": BASE,
    "SpecialFunctions": SPECIAL_FUNCTIONS,
    "NaNMath": NAN_MATH,
    "LogExpFunctions": LOG_EXP_FUNCTIONS,
}
# LogExpFunctions.jl has these without a rule in DiffRules.jl; the issue asks for them.
ASKED_TOO = ("cloglog", "loglogistic", "logitexp", "log1mlogistic")


@pytest.mark.parametrize("module", MODULES)
def test_every_function_of_diffrules_jl_is_ours_or_explained(module):
    missing = [
        f"{module}.{name} of {arity}: there is no {ours}"
        for (name, arity), ours in MODULES[module].items()
        if not isinstance(ours, Gap) and not hasdiffrule(ours, arity)
    ]
    assert not missing


def test_functions_of_the_issue_beyond_diffrules_jl():
    assert [name for name in ASKED_TOO if not hasdiffrule(name, 1)] == []


def test_the_list_is_the_whole_table_of_diffrules_jl():
    """The counts of ``@define_diffrule`` in its source, those in comments left out."""
    assert {module: len(listed) for module, listed in MODULES.items()} == {
        "Base": 72,
        "SpecialFunctions": 51,
        "NaNMath": 16,
        "LogExpFunctions": 14,
    }


def test_every_gap_has_a_reason():
    gaps = [ours for listed in MODULES.values() for ours in listed.values() if type(ours) is Gap]
    assert gaps
    assert all(len(reason) > 10 for reason in gaps)
