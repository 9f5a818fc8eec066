"""Every ufunc of NumPy is an entry of the table, has a rule, gives plain values, or is refused."""

import numpy as np
import pytest

import autodiff as ad
from autodiff.elementwise import rule_answering
from autodiff.registry import CALLS, REFUSED
from autodiff.rules import load_all

UFUNCS = {
    name: getattr(np, name) for name in sorted(dir(np)) if isinstance(getattr(np, name), np.ufunc)
}


def kind(ufunc):
    """Return what we make of a ufunc, or None."""
    load_all()
    if rule_answering(ufunc) is not None:
        return "entry"
    if ufunc in REFUSED:
        return "refused"
    return "rule" if ufunc in CALLS else None


@pytest.mark.parametrize("name", UFUNCS)
def test_nothing_is_left_open(name):
    assert kind(UFUNCS[name]) is not None, f"np.{name}: an entry, a rule, or refuse(np.{name}, ...)"


@pytest.mark.parametrize("name", [name for name in UFUNCS if kind(UFUNCS[name]) == "refused"])
def test_a_refusal_names_the_function_and_says_why(name):
    ufunc = UFUNCS[name]
    with pytest.raises(TypeError, match=rf"np\.{ufunc.__name__} has no derivative: \w+"):
        ufunc(*[ad.Variable([1.0, 2.0])] * ufunc.nin)


def test_there_are_some_of_each_kind():
    kinds = [kind(ufunc) for ufunc in UFUNCS.values()]
    assert kinds.count("entry") > 50
    assert {"entry", "rule", "refused"} == set(kinds)
