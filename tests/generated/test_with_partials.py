"""The functions that give value and partials of floats at once agree with the single ones."""

import importlib
import inspect
import itertools
import math

import pytest

from generated.manifest import ENTRIES

SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 40.0, 1e-200, 1e200, math.inf, -math.inf, math.nan)
RAISED = (ValueError, ZeroDivisionError, OverflowError)


def joint(entry):
    """Return the scalar module of an entry and its function for value and partials, or None."""
    module = importlib.import_module(f"generated.scalar.{entry.family}")
    return module, getattr(module, f"{entry.name}_with_partials", None)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_it_exists_where_all_of_it_has_a_scalar_form(entry):
    expected = entry.scalar and all(grad.scalar and not grad.reason for grad in entry.grads)
    assert (joint(entry)[1] is not None) == expected


@pytest.mark.parametrize(
    "entry", [entry for entry in ENTRIES if joint(entry)[1]], ids=lambda entry: entry.name
)
def test_it_agrees_with_the_single_methods(entry):
    module, both = joint(entry)
    value = getattr(module, entry.name)
    grads = [getattr(module, f"{entry.name}_grad_{arg}") for arg in entry.args]
    whole = [p.annotation == "int" for p in inspect.signature(value).parameters.values()]
    compared = 0
    for point in itertools.product(SPECIAL, repeat=len(entry.args)):
        if any(w and not math.isfinite(p) for w, p in zip(whole, point, strict=True)):
            continue
        args = [int(p) if w else p for p, w in zip(point, whole, strict=True)]
        try:
            right = value(*args)
            partials = [grad(1.0, right, *args) for grad in grads]
        except RAISED:
            with pytest.raises(RAISED):
                both(*args)
            continue
        out, found = both(*args)
        assert [str(float(number)) for number in (out, *found)] == [
            str(float(number)) for number in (right, *partials)
        ], point
        compared += 1
    assert compared
