"""The check that every rule of an array function goes through."""

import warnings
import zlib

import numpy as np
import pytest

import autodiff as ad
from autodiff import Variable, check_grads, vjp
from autodiff.compiler.refusals import ShapeError
from autodiff.containers import parts_of, put_together

SINGLE = {"f": np.float32, "c": np.complex64}


@pytest.fixture
def check_rule(request):
    """Return the function that checks one call of a rule.

    ``check_rule(call, *arrays, order=2, complex=True, modes=..., single=True)``: values are
    NumPy's, derivatives those of differences to `order` in all `modes`, also of `complex`
    arguments; gradients have shape and dtype of their arguments, below double precision too
    if `single`; neither the layout of an argument matters nor is it changed. A plain run does
    one of the costly parts for each call, chosen by the name of the test; ``--full`` all.
    One part compares with the compiled function, if `compiled`.
    """
    full = request.config.getoption("--full")

    def check(
        call,
        *arrays,
        order=2,
        complex=True,
        modes=("reverse", "forward"),
        single=True,
        compiled=True,
    ):
        arrays = [np.asarray(a) if np.iscomplexobj(a) else np.asarray(a, float) for a in arrays]
        _check_value(call, arrays)
        check_grads(call, arrays, order=order if full else min(order, 1), modes=modes)
        parts = [lambda: check_grads(call, arrays, order=order, modes=modes)]
        if complex and not any(map(np.iscomplexobj, arrays)):
            parts.append(lambda: _check_complex(call, arrays, order if full else 1, modes))
        if single and "reverse" in modes:
            parts.append(lambda: _check_single(call, arrays))
        if compiled:
            parts.append(lambda: _check_compiled(call, arrays, modes, "numpy"))
        parts.append(lambda: _check_layouts(call, arrays, modes))
        if not full:
            seed = zlib.crc32(request.node.nodeid.encode())
            parts = [parts[seed % len(parts)]]
        for part in parts:
            part()

    return check


def _check_value(call, arrays):
    wanted = parts_of(call(*arrays))[0]
    found = parts_of(call(*map(Variable, arrays)))[0]
    assert len(found) == len(wanted)
    for ours, theirs in zip(found, wanted, strict=True):
        ours = ours.value if isinstance(ours, Variable) else ours
        assert np.shape(ours) == np.shape(theirs)
        assert np.result_type(ours) == np.result_type(theirs)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)


def _check_complex(call, arrays, order, modes):
    rng = np.random.default_rng(0)
    check_grads(
        call, [a + 1j * rng.uniform(0.2, 0.8, a.shape) for a in arrays], order=order, modes=modes
    )


def _ones(out):
    leaves, structure = parts_of(out)
    ones = [np.ones(np.shape(leaf), np.result_type(leaf)) for leaf in leaves]
    return put_together(structure, ones)


def _check_single(call, arrays):
    double = vjp(call, *arrays)
    narrow = [a.astype(SINGLE[a.dtype.kind]) for a in arrays]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        value, pullback = vjp(call, *narrow)
        found = pullback(_ones(value))
    wanted = double[1](_ones(double[0]))
    for theirs, ours, given in zip(wanted, found, narrow, strict=True):
        assert ours.shape == given.shape
        assert ours.dtype == given.dtype
        scale = np.max(np.abs(theirs), initial=1.0)
        np.testing.assert_allclose(ours, theirs, rtol=2e-3, atol=2e-3 * scale)


def _check_layouts(call, arrays, modes):
    for array in arrays:
        array.flags.writeable = False
    before = [a.copy() for a in arrays]
    strided = [np.repeat(a[..., None], 2, -1)[..., 0] if a.ndim else a for a in arrays]
    reordered = [np.asarray(a, order="F") for a in arrays]
    for given in (strided, reordered):
        check_grads(call, given, order=1, modes=modes)
        if "reverse" in modes:
            value, pullback = vjp(call, *given)
            for grad, array in zip(pullback(_ones(value)), given, strict=True):
                assert grad.shape == array.shape
                assert grad.dtype == array.dtype
    for array, old in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, old)


def _check_compiled(call, arrays, modes, backend):
    def derivative(*args):
        value, pullback = vjp(call, *args)
        return value, pullback(_ones(value))

    f = derivative if "reverse" in modes else call
    try:
        found = parts_of(ad.compile(f, backend=backend)(*arrays))[0]
    except ShapeError:
        return  # what the shape of the result depends on is not known to a program
    for ours, theirs in zip(found, parts_of(f(*arrays))[0], strict=True):
        assert np.shape(ours) == np.shape(theirs)
        assert np.result_type(ours) == np.result_type(theirs)
        scale = np.max(np.abs(theirs), initial=0.0, where=np.isfinite(theirs))
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-13 * scale)
