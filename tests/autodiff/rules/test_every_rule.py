"""No rule without a check: each function of the registry is named in a test of its family."""

import re
from pathlib import Path

import numpy as np

from autodiff import rules
from autodiff.elementwise import rule_answering
from autodiff.registry import CALLS, REFUSED, function_name
from autodiff.rules.plain import FUNCTIONS

HERE = Path(__file__).parent
# Of dates and bits.
WITHOUT_NUMBERS = {
    "np.busday_count",
    "np.busday_offset",
    "np.datetime_as_string",
    "np.is_busday",
    "np.packbits",
    "np.unpackbits",
}


def test_every_rule_is_checked():
    rules.load_all()
    text = "\n".join(path.read_text() for path in HERE.parent.rglob("test_*.py"))
    words = set(re.findall(r"\w+", text))
    names = {
        function_name(function)
        for function, call in CALLS.items()
        if callable(function)
        and function not in FUNCTIONS
        and getattr(call, "__module__", "").startswith("autodiff.rules.")
    }
    missing = sorted(name for name in names if name.rpartition(".")[2] not in words)
    assert not missing, ", ".join(missing)


def test_a_function_is_followed_plain_or_refused_but_not_two_of_them():
    rules.load_all()
    followed = {
        function
        for function, call in CALLS.items()
        if getattr(call, "__module__", "") != "autodiff.rules.plain"
    }
    plain = set(FUNCTIONS)
    assert not followed & set(REFUSED)
    assert not plain & set(REFUSED)


def test_every_function_of_numpy_that_takes_arrays_is_accounted_for():
    """What NumPy lets us take over is followed, gives plain values, or is refused."""
    rules.load_all()
    known = {*CALLS, *REFUSED, *FUNCTIONS}
    left = set()
    for module in (np, np.linalg, np.fft):
        for name in dir(module):
            function = getattr(module, name)
            if hasattr(function, "_implementation") and function not in known:
                left.add(function)
    left = {function_name(f) for f in left if rule_answering(f) is None}
    assert left <= WITHOUT_NUMBERS, ", ".join(sorted(left - WITHOUT_NUMBERS))
