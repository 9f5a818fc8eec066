"""Exported programs compile without Python, without a warning, and give the same numbers."""

import importlib.util
import shutil
import subprocess

import numpy as np
import pytest

import autodiff as ad
from autodiff.compiler.errors import CompileError
from autodiff.containers import parts_of
from autodiff.elementwise import rule_named

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
RNG = np.random.default_rng(0)

pytestmark = pytest.mark.skipif(CC is None, reason="there is no C compiler")


def waves(x, y):
    return np.sum(np.sin(x) * np.exp(y))


def layer(w, x):
    return np.sum(np.tanh(x @ w) ** 2)


def several(x, k):
    return np.concatenate([x, x[::-1]]) * k, np.max(x), x.reshape(2, 3).T @ x[:2], 1.0


def recurrence(w, x):
    return ad.scan(lambda h, one: (np.tanh(w @ h + one), h[0]), np.zeros(3), x)


X = RNG.normal(size=6)
PROGRAMS = {
    "numbers": (ad.value_and_grad(waves, argnums=(0, 1)), (0.5, 1.0)),
    "vectors": (ad.value_and_grad(waves, argnums=(0, 1)), (X, X[::-1].copy())),
    "matrices": (ad.value_and_grad(layer), (RNG.normal(size=(4, 2)), RNG.normal(size=(3, 4)))),
    "single": (ad.grad(waves), (X.astype(np.float32), X.astype(np.float32))),
    "several": (several, (X, 3)),
    "hessian": (ad.hessian(lambda x: np.sum(x[1:] * x[:-1] ** 2)), (X,)),
    "scan": (recurrence, (RNG.normal(size=(3, 3)), RNG.normal(size=(5, 3)))),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_numbers_without_python(name, tmp_path):
    f, args = PROGRAMS[name]
    compiled = ad.compile(f)
    source, head, main, call = compiled.export(tmp_path, *args)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
    program = tmp_path / "program"
    subprocess.run([CC, *flags, source, main, "-o", program, "-lm"], check=True)
    shown = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    leaves = parts_of(f(*args))[0]
    wanted = np.concatenate([np.ravel(one).astype(float) for one in leaves])
    rtol = 1e-5 if name == "single" else 1e-12
    np.testing.assert_allclose(np.array(shown.split(), float), wanted, rtol=rtol, atol=1e-14)
    assert f"void {source.stem}(" in head.read_text()

    library = source.with_suffix(".so")
    subprocess.run([CC, "-O2", "-fPIC", "-shared", source, "-o", library, "-lm"], check=True)
    spec = importlib.util.spec_from_file_location(call.stem, call)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for ours, theirs in zip(module.call(*args), leaves, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=1e-14)


def compiled_alone(source, folder):
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-c"]
    subprocess.run([CC, *flags, source, "-o", folder / "alone.o"], check=True)


def test_functions_of_the_table_bring_their_types(tmp_path):
    polynomial = rule_named("_gegenbauer")
    given = [0.5] * (len(polynomial.entry.args) - 2)
    f = ad.compile(lambda x: polynomial(2.0, *given, x))
    source, *_ = f.export(tmp_path, 0.25)
    assert "ad_pair" in source.read_text()
    compiled_alone(source, tmp_path)


@pytest.mark.parametrize("name", ["double", "main", "exp", "fmaxf", "input0", "Größe"])
def test_names_that_c_does_not_allow(name, tmp_path):
    def f(x):
        return x * 2.0

    f.__name__ = name
    source, *_ = ad.compile(f).export(tmp_path, np.ones(3))
    assert source.stem == ("Gr__e" if name == "Größe" else f"f_{name}")
    compiled_alone(source, tmp_path)


def test_what_calls_python_is_named(tmp_path):
    with pytest.raises(CompileError, match=r"it calls np\.linalg\.inv"):
        ad.compile(lambda x: np.linalg.inv(x)).export(tmp_path, np.eye(2))
