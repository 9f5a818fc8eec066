"""Every elementwise function of ``scipy.special`` is an entry of the table, or refused by it."""

import numpy as np
import pytest
from scipy import special

import autodiff as ad
from diffrules import RULES
from diffrules.entry import REFUSED, not_differentiable
from generator.callees import callees_named

UFUNCS = sorted(name for name in dir(special) if isinstance(getattr(special, name), np.ufunc))
ANSWERED = {
    name.partition(".")[2].partition("[")[0]
    for rule in RULES.values()
    for name in callees_named(rule)
    if name.startswith("special.")
}
REASONS = {name.partition(".")[2]: reason for name, reason in REFUSED.items()}


@pytest.mark.parametrize("name", UFUNCS)
def test_every_ufunc_is_an_entry_or_refused_with_a_reason(name):
    function = getattr(special, name)
    assert (name in ANSWERED) != (name in REASONS), (
        f"special.{name}: write an entry with numpy='special.{name}', or refused('why', "
        f"'special.{name}')"
    )
    if name in REASONS:
        args = [ad.Variable(0.5) for _ in range(function.nin)]
        with pytest.raises(TypeError, match=name) as error:
            function(*args)
        assert REASONS[name] in str(error.value)


def test_an_argument_without_a_derivative_raises_its_name():
    checked = 0
    for rule in RULES.values():
        for index, arg in enumerate(rule.args):
            partial = rule.partials[arg]
            if not rule.is_public or not isinstance(partial, not_differentiable):
                continue
            point = [0.5] * len(rule.args)
            point[index] = ad.Variable(1.0)
            with pytest.raises(TypeError, match=f"{rule.name} has no derivative in {arg}: "):
                getattr(ad, rule.name)(*point)
            checked += 1
    assert checked > 10
