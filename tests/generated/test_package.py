"""The package as a whole: names, the manifest, and what importing it costs."""

import importlib
import subprocess
import sys

import numpy as np
import pytest

import generated
from diffrules import RULES
from generated.manifest import ENTRIES


def test_names_and_aliases_are_found():
    remainder = importlib.import_module("generated.broadcasted.arithmetic").remainder
    assert generated.remainder is remainder
    assert generated.mod is remainder
    assert generated.celu is generated.elu
    assert {"hypot", "mod", "swish"} <= set(dir(generated))
    with pytest.raises(AttributeError, match="no function 'hypott'"):
        _ = generated.hypott


def test_the_manifest_has_every_entry_of_the_table():
    ours = {rule.name for rule in RULES.values() if rule.module.startswith("diffrules.")}
    assert {entry.name for entry in ENTRIES} == ours
    for entry in ENTRIES:
        rule = RULES[entry.name, len(entry.args)]
        assert entry.family == rule.family
        assert entry.args == tuple(map(str, rule.args))
        assert len(entry.grads) == len(entry.args)
        module = importlib.import_module(f"generated.broadcasted.{entry.family}")
        for arg, grad in zip(rule.args, entry.grads, strict=True):
            own = arg in rule.own_complex
            assert own == (grad.complex_reads is not None)
            assert own == hasattr(module, f"{entry.name}_grad_{arg}_complex")
        kind = "own" if rule.own_complex else "same" if rule.complex is None else "real only"
        assert entry.complex == kind


@pytest.mark.parametrize("module", ["generated.manifest", "generated.broadcasted.bessel"])
def test_importing_needs_neither_scipy_nor_the_generator(module):
    heavy = {"scipy", "sympy", "jinja2", "mpmath", "diffrules", "generator"}
    code = f"import sys, {module}; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_methods_read_what_the_manifest_says(rule, methods):
    """What is not read may be None."""
    entry = methods.entries[rule.name]
    point = methods.inside(rule, 1, reach=3.0)[0]
    with np.errstate(all="ignore"):
        out = methods.evaluate(rule, rule.name, [point])[0]
    given = dict(zip(("out", *entry.args), (out, *point), strict=True))
    for index, name in methods.gradients(rule):
        grad = entry.grads[index]
        assert not grad.reason
        read = {word: np.float64(value) for word, value in given.items() if word in grad.reads}
        whole = {arg for i, arg in enumerate(entry.args) if methods.is_whole(rule, i)}
        read |= {word: given[word] for word in whole & set(read)}
        args = [read.get(word) for word in ("out", *entry.args)]
        with np.errstate(all="ignore"):
            found = methods.broadcasted(rule, name)(np.float64(1.0), *args)
        assert np.ndim(found) == 0
        if grad.zero:
            assert found == 0.0
        scalar = methods.scalar(rule, name)
        if scalar is not None:
            plain = [
                None if arg is None else arg.item() if hasattr(arg, "item") else arg for arg in args
            ]
            assert scalar(1.0, *plain) == pytest.approx(float(found), rel=1e-12)


def test_an_argument_without_derivative_says_why():
    jv = next(entry for entry in ENTRIES if entry.name == "jv")
    assert "Bessel" in jv.grads[0].reason
    assert not hasattr(importlib.import_module("generated.broadcasted.bessel"), "jv_grad_n")
