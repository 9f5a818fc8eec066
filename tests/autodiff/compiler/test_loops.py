"""Loops in C: reductions in blocks, extremes with NaN, and loops that run again with care."""

import itertools

import numpy as np
import pytest

import autodiff as ad

SHAPES = [(1300,), (3, 700), (700, 3), (2, 6, 2), (0, 4), (1, 1)]
REDUCTIONS = [np.sum, np.prod, np.max, np.min, np.mean]


def cases(shape):
    """Return every reduction over every choice of axes."""
    ndim = len(shape)
    axes = [None, *((axis,) for axis in range(ndim)), *itertools.combinations(range(ndim), 2)]
    for i, (f, axis) in enumerate(itertools.product(REDUCTIONS, axes)):
        keepdims = bool(i % 2)
        over = range(ndim) if axis is None else axis
        if f in (np.sum, np.prod) or all(shape[one] for one in over):
            yield f, axis, keepdims


def reduced(x):
    return [f(x, axis=axis, keepdims=keepdims) for f, axis, keepdims in cases(x.shape)]


@pytest.mark.parametrize("dtype", ["d", "l"])
def test_reductions(toolchain, dtype):
    rng = np.random.default_rng(0)
    shapes = SHAPES[2:] if dtype == "l" else SHAPES
    arrays = [rng.uniform(-1, 1.01, shape) for shape in shapes]
    arrays = [(x * 3 if dtype == "l" else x).astype(dtype) for x in arrays]
    holed = [x.copy() for x in arrays]
    for x in holed:
        if dtype != "l" and x.size:
            x.flat[x.size // 2] = np.nan
    f = ad.compile(lambda xs: [reduced(x) for x in xs], backend="c")
    for given in (arrays, holed):
        for x, found in zip(given, f(given), strict=True):
            with np.errstate(all="ignore"):
                wanted = reduced(x)
            for case, one, other in zip(cases(x.shape), found, wanted, strict=True):
                where = f"{x.shape} {case}"
                assert (np.shape(one), np.result_type(one)) == (
                    np.shape(other), np.result_type(other),
                ), where  # fmt: skip
                single = dtype == "f"
                np.testing.assert_allclose(
                    one, other, rtol=1e-5 if single else 1e-12, atol=1e-4 if single else 1e-12,
                    err_msg=where,
                )  # fmt: skip


def test_sums_are_as_accurate_as_those_of_numpy(toolchain):
    x = np.full(10**6 + 7, 0.1)
    f = ad.compile(lambda x, y: (np.sum(x), np.sum(y), np.sum(x * 1.0, axis=0)), backend="c")
    found = f(x, x.astype("f"))
    exact = 0.1 * x.size
    assert abs(found[0] - exact) <= 1e-14 * exact
    assert abs(found[1] - float(np.float32(0.1)) * x.size) <= 1e-6 * exact
    assert abs(found[2] - exact) <= 1e-14 * exact


def test_sums_of_nothing_are_zero(toolchain):
    f = ad.compile(lambda x, y: (np.sum(x), np.sum(y, axis=0)), backend="c")
    found = f(np.zeros(0), np.zeros((0, 3)))
    assert found[0] == 0
    assert not np.signbit(found[0])
    assert found[1].tolist() == [0, 0, 0]


@pytest.mark.parametrize("dtype", ["d", "f"])
def test_masked_gradients_are_zero(toolchain, dtype):
    """A loop whose plain products give NaN runs again under the rule of zero."""
    x = np.tile(np.array([0.0, -1.0, 4.0, np.inf, np.nan, -0.0], dtype), 101)

    def gradients(x):
        good = np.isfinite(x) & (x > 0)
        functions = [np.sqrt, np.log, np.tanh, np.sin, np.abs, np.square, np.reciprocal, np.exp]
        masked = [
            ad.grad(lambda x, f=f: np.sum(np.where(good, f(x) * 2.0, 0.0)))(x) for f in functions
        ]
        both = ad.grad(lambda x: np.sum(np.where(good, np.log(x) * np.sqrt(x) / x, 1.0)))(x)
        return [*masked, both]

    with np.errstate(all="ignore"):
        wanted, found = gradients(x), ad.compile(gradients, backend="c")(x)
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == dtype
        assert np.all(one[x != 4] == 0)
        np.testing.assert_allclose(one, other, rtol=1e-5 if dtype == "f" else 1e-12)


def test_ties_of_extremes_share_the_gradient(toolchain):
    x = np.array([[1.0, 3.0, 3.0], [3.0, np.nan, 2.0], [-np.inf, -np.inf, -np.inf]])

    def gradients(x):
        return [
            ad.grad(lambda x, f=f, axis=axis: np.sum(f(x, axis=axis)))(x)
            for f in (np.max, np.min)
            for axis in (None, 0, 1)
        ] + [ad.grad(lambda x: np.sum(np.maximum(x, x[:, ::-1])))(x)]

    with np.errstate(all="ignore"):
        wanted, found = gradients(x), ad.compile(gradients, backend="c")(x)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other)


def test_a_short_innermost_loop_runs_again_too(toolchain):
    x = np.zeros((40, 3))
    f = ad.compile(
        lambda x, y: np.sum(ad.grad(lambda x: np.sum(np.sqrt(x) * y))(x), axis=0), backend="c"
    )
    assert f(x, x).tolist() == [0, 0, 0]
    text = f.source(x, x).partition("npy_int64 lost")[2]
    assert "reduction(|:lost)" in text.partition("lost |=")[0]


def test_whole_numbers_wrap_around(toolchain):
    x = np.array([2**63 - 1, 3])
    f = ad.compile(lambda x: np.where(x + 1 > x, 1.0, 0.0), backend="c")
    if toolchain.kind != "tcc":
        assert "-fwrapv" in toolchain.flags
    assert f(x).tolist() == [0, 1]
