"""Functions that give entries another shape, move, repeat, pad, or hold them differently."""

import warnings

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import autodiff as ad


def array(*shape):
    """Return values that are far from each other and from 0."""
    return (
        np.random.default_rng(1)
        .permutation(np.linspace(0.5, 1.5, int(np.prod(shape))))
        .reshape(shape)
    )


CASES = {
    "reshape": (lambda x: np.reshape(x, (3, -1)), (2, 3)),
    "reshape to a number": (lambda x: np.reshape(x, ()), (1, 1)),
    "reshape a number": (lambda x: np.reshape(x, (1, 1)), ()),
    "reshape empty": (lambda x: np.reshape(x, (3, 0)), (0, 2)),
    "reshape F": (lambda x: np.reshape(x, (4, 3), order="F"), (2, 3, 2)),
    "reshape C of transposed": (lambda x: np.reshape(x.T, (3, 4), order="C"), (2, 6)),
    "reshape copy": (lambda x: np.reshape(x, 6, copy=True), (2, 3)),
    "ravel": (np.ravel, (2, 3)),
    "ravel F": (lambda x: np.ravel(x, "F"), (2, 3, 2)),
    "squeeze": (np.squeeze, (1, 3, 1)),
    "squeeze axis": (lambda x: np.squeeze(x, axis=-1), (1, 3, 1)),
    "squeeze axes": (lambda x: np.squeeze(x, (0, -1)), (1, 3, 1)),
    "squeeze a number": (np.squeeze, ()),
    "expand_dims": (lambda x: np.expand_dims(x, 1), (2, 3)),
    "expand_dims axes": (lambda x: np.expand_dims(x, (0, -1)), (3,)),
    "expand_dims list": (lambda x: np.expand_dims(x, axis=[0, 1]), ()),
    "atleast_1d": (np.atleast_1d, ()),
    "atleast_2d": (np.atleast_2d, (3,)),
    "atleast_3d": (np.atleast_3d, (3,)),
    "atleast_3d matrix": (np.atleast_3d, (2, 3)),
    "transpose": (np.transpose, (2, 3)),
    "transpose axes": (lambda x: np.transpose(x, (1, -1, 0)), (2, 3, 1)),
    "transpose list": (lambda x: np.transpose(x, axes=[1, 0]), (0, 2)),
    "permute_dims": (lambda x: np.permute_dims(x, (2, 0, 1)), (2, 3, 2)),
    "swapaxes": (lambda x: np.swapaxes(x, 0, -1), (2, 3, 2)),
    "moveaxis": (lambda x: np.moveaxis(x, 0, -1), (2, 3, 2)),
    "moveaxis several": (lambda x: np.moveaxis(x, source=(0, 1), destination=(-1, 0)), (2, 3, 2)),
    "rollaxis": (lambda x: np.rollaxis(x, 2), (2, 3, 2)),
    "rollaxis start": (lambda x: np.rollaxis(x, -1, start=1), (2, 3, 2)),
    "matrix_transpose": (np.matrix_transpose, (2, 3, 2)),
    "linalg.matrix_transpose": (np.linalg.matrix_transpose, (2, 3)),
    "broadcast_to": (lambda x: np.broadcast_to(x, (2, 3, 4)), (3, 1)),
    "broadcast_to int": (lambda x: np.broadcast_to(x, 3), ()),
    "broadcast_to nothing": (lambda x: np.broadcast_to(x, (0, 3)), (3,)),
    "ix_": (lambda x: np.ix_(x, [1, 2]), (3,)),
    "flip": (np.flip, (2, 3)),
    "flip axis": (lambda x: np.flip(x, -1), (2, 3)),
    "flip axes": (lambda x: np.flip(x, axis=(0, 2)), (2, 3, 2)),
    "flip a number": (np.flip, ()),
    "flipud": (np.flipud, (3, 2)),
    "fliplr": (np.fliplr, (3, 2)),
    **{f"rot90 {k}": (lambda x, k=k: np.rot90(x, k), (2, 3)) for k in (-3, -2, -1, 0, 1, 2, 3, 4)},
    "rot90 axes": (lambda x: np.rot90(x, axes=(2, 0)), (2, 3, 2)),
    "rot90 axes thrice": (lambda x: np.rot90(x, k=3, axes=(-1, -2)), (2, 3, 2)),
    "roll": (lambda x: np.roll(x, 2), (5,)),
    "roll flat": (lambda x: np.roll(x, -1), (2, 3)),
    "roll axis": (lambda x: np.roll(x, 4, axis=1), (2, 3)),
    "roll axes": (lambda x: np.roll(x, (1, -2), axis=(0, -1)), (2, 3)),
    "roll one shift": (lambda x: np.roll(x, shift=1, axis=(0, 1)), (2, 3)),
    "roll one axis twice": (lambda x: np.roll(x, [1, 1], 0), (4,)),
    "roll empty": (lambda x: np.roll(x, 1), (0,)),
    "repeat": (lambda x: np.repeat(x, 2), (2, 3)),
    "repeat axis": (lambda x: np.repeat(x, 3, axis=-1), (2, 3)),
    "repeat none": (lambda x: np.repeat(x, 0, axis=0), (2, 3)),
    "repeat a number": (lambda x: np.repeat(x, 3), ()),
    "repeat array": (lambda x: np.repeat(x, [2, 0, 1], axis=1), (2, 3)),
    "repeat array of one": (lambda x: np.repeat(x, [2], axis=0), (2, 3)),
    "repeat flat": (lambda x: np.repeat(x, repeats=np.array([1, 2, 0, 1])), (2, 2)),
    "tile": (lambda x: np.tile(x, 2), (2, 3)),
    "tile more axes": (lambda x: np.tile(x, (2, 1, 3)), (2, 3)),
    "tile fewer axes": (lambda x: np.tile(x, reps=[2]), (2, 1, 3)),
    "tile a number": (lambda x: np.tile(x, (2, 2)), ()),
    "tile none": (lambda x: np.tile(x, (0, 2)), (2, 3)),
    "tile once": (lambda x: np.tile(x, ()), (2, 3)),
    "resize larger": (lambda x: np.resize(x, (3, 5)), (2, 2)),
    "resize smaller": (lambda x: np.resize(x, 3), (2, 2)),
    "resize to nothing": (lambda x: np.resize(x, (0, 2)), (2, 2)),
    "windows": (lambda x: sliding_window_view(x, 3), (5,)),
    "windows of matrices": (lambda x: sliding_window_view(x, (2, 2)), (3, 4)),
    "windows along an axis": (lambda x: sliding_window_view(x, 2, axis=0), (3, 2)),
    "trim_zeros": (lambda x: np.trim_zeros(np.pad(x, 2)), (3,)),
    "trim_zeros front": (lambda x: np.trim_zeros(np.pad(x, 1), "f"), (3,)),
    "trim_zeros back": (lambda x: np.trim_zeros(np.pad(x, 1), trim="B"), (3,)),
    "copy": (np.copy, (2, 3)),
    "copy all": (lambda x: np.copy(x, "C", True), (2, 3)),
    "broadcast_to subok": (lambda x: np.broadcast_to(x, (2, 3), subok=True), (3,)),
    "broadcast_arrays subok": (lambda x: np.broadcast_arrays(x, x[0], subok=True), (3,)),
    "full_like": (lambda x: np.full_like(x, x[0]), (3,)),
    "full_like all": (lambda x: np.full_like(x, x[0], None, "C", True, (2,)), (3,)),
    "full_like shape": (lambda x: np.full_like(x, x[0], shape=(2, 2)), (3,)),
    "real_if_close": (np.real_if_close, (3,)),
    "meshgrid of one": (lambda x: np.meshgrid(x), (3,)),
}


@pytest.mark.parametrize("name", CASES)
def test_moved_entries(check_rule, name):
    call, shape = CASES[name]
    check_rule(call, array(*shape))


PADS = {
    "constant": (2, {}),
    "constant values": (((1, 2), (0, 3)), {"constant_values": ((1.0, 2.0), (3.0, 4.0))}),
    "constant pair": ((1, 2), {"constant_values": (1.0, 2.0)}),
    "no width": (0, {"mode": "edge"}),
    "column": (((1,), (2,)), {"mode": "edge"}),
    "edge": (((1, 2), (3, 0)), {"mode": "edge"}),
    "wrap": (((1, 2), (2, 1)), {"mode": "wrap"}),
    "wrap far": (((5, 0), (0, 7)), {"mode": "wrap"}),
    "reflect": (((1, 1), (2, 1)), {"mode": "reflect"}),
    "reflect far": (((4, 3), (8, 7)), {"mode": "reflect"}),
    "symmetric": (((1, 2), (2, 1)), {"mode": "symmetric"}),
    "symmetric far": (((5, 3), (9, 7)), {"mode": "symmetric", "reflect_type": "even"}),
    "reflect odd": (((1, 1), (2, 1)), {"mode": "reflect", "reflect_type": "odd"}),
    "reflect odd far": (((4, 3), (9, 8)), {"mode": "reflect", "reflect_type": "odd"}),
    "symmetric odd": (((1, 2), (2, 1)), {"mode": "symmetric", "reflect_type": "odd"}),
    "symmetric odd far": (((5, 3), (9, 7)), {"mode": "symmetric", "reflect_type": "odd"}),
    "ramp": (((1, 2), (3, 0)), {"mode": "linear_ramp"}),
    "ramp ends": ((2, 3), {"mode": "linear_ramp", "end_values": ((1.0, 2.0), (3.0, 4.0))}),
    "mean": (((1, 2), (0, 1)), {"mode": "mean"}),
    "mean length": (2, {"mode": "mean", "stat_length": ((1, 2), (2, 3))}),
}


@pytest.mark.parametrize("name", PADS)
@pytest.mark.parametrize("shape", [(2, 3), (1, 4)], ids=str)
def test_pad(check_rule, name, shape):
    width, keywords = PADS[name]
    check_rule(lambda x: np.pad(x, width, **keywords), array(*shape))


@pytest.mark.parametrize("mode", ["maximum", "minimum", "median"])
@pytest.mark.parametrize("length", [None, 2, (1, 3)])
def test_pad_by_order(check_rule, mode, length):
    check_rule(lambda x: np.pad(x, 2, mode, stat_length=length), array(3, 4), complex=False)


def test_pad_of_few_axes(check_rule):
    check_rule(lambda x: np.pad(x, 2), array())
    check_rule(lambda x: np.pad(x, 2), array(0))
    check_rule(lambda x: np.pad(x, {-1: (1, 2), 0: 1}), array(2, 2))


@pytest.mark.parametrize("mode", ["constant", "linear_ramp"])
def test_pad_with_tracked_values(check_rule, mode):
    keyword = {"constant": "constant_values", "linear_ramp": "end_values"}[mode]
    x = array(2, 3)
    check_rule(lambda x, c: np.pad(x, 2, mode, **{keyword: c}), x, array())
    check_rule(lambda x, c: np.pad(x, ((1, 2), (0, 2)), mode, **{keyword: c}), x, array(2, 2))
    values = ad.Variable(2.0), ad.Variable(3.0)
    padded = np.pad(ad.Variable(x), 1, mode, **{keyword: [(values[0], 5.0), (values[1], 6.0)]})
    wanted = np.pad(x, 1, mode, **{keyword: [(2.0, 5.0), (3.0, 6.0)]})
    np.testing.assert_allclose(padded.value, wanted, rtol=1e-15)
    np.sum(padded).backward()
    assert values[0].grad > 0.0
    assert values[1].grad > 0.0


def test_pad_refuses():
    v = ad.Variable(array(2, 3))
    with pytest.raises(TypeError, match=r"np\.concatenate"):
        np.pad(v, 1, lambda *args: None)
    with pytest.raises(ValueError, match="sideways"):
        np.pad(v, 1, "sideways")
    with pytest.raises(ValueError, match="end_values"):
        np.pad(v, 1, "edge", end_values=1)
    with pytest.raises(ValueError, match="-1"):
        np.pad(v, -1)
    with pytest.raises(ValueError, match="empty"):
        np.pad(ad.Variable(np.zeros((0, 2))), 1, "edge")


def test_several_arguments(check_rule):
    x, y = array(3, 1), array(4)
    check_rule(lambda x, y: np.broadcast_arrays(x, 1.0, y), x, y)
    check_rule(lambda x: np.broadcast_arrays(x, np.ones(2)), array(3, 1))
    check_rule(lambda x, y: np.atleast_2d(x, 3.0, y), x, y)
    for keywords in ({}, {"indexing": "ij"}, {"sparse": True}, {"copy": False}):
        check_rule(lambda x, y, k=keywords: np.meshgrid(x, y, [1.0, 2.0], **k), array(3), array(2))


def test_orders_in_memory():
    x = np.asfortranarray(array(2, 3))
    for made in (x, x.T, x[:, ::-1], np.transpose(array(2, 3, 4), (1, 0, 2))[::-1]):
        v = ad.Variable(array(1)) * 0.0 + made  # a sum keeps the order in memory
        assert v.value.strides == (made * 1.0).strides
        plain = v.value
        for order in "CFAK":
            np.testing.assert_array_equal(np.ravel(v, order).value, np.ravel(plain, order))
            np.testing.assert_array_equal(v.flatten(order).value, plain.flatten(order))
        for order in "CFA":
            np.testing.assert_array_equal(
                np.reshape(v, (-1, 2), order).value, np.reshape(plain, (-1, 2), order)
            )


def test_reshape_without_a_copy():
    v = ad.Variable(array(2, 3))
    assert np.reshape(v, 6, copy=False).shape == (6,)
    with pytest.raises(ValueError, match="copy"):
        np.reshape(v.T, 6, copy=False)


def test_astype():
    x = ad.Variable(np.ones(2, np.float32))
    y = x.astype(np.float64) * np.array([1.0, 2.0])
    assert y.dtype == np.float64
    y.sum().backward()
    assert x.grad.dtype == np.float32
    np.testing.assert_array_equal(x.grad, [1.0, 2.0])
    for dtype in (int, bool, "U3", object):
        with pytest.raises(TypeError, match=r"stop_gradient"):
            x.astype(dtype)
    if hasattr(np, "astype"):
        assert np.astype(x, np.float64).dtype == np.float64
    assert x.astype("f4", copy=False) is x
    with pytest.raises(TypeError, match="safe"):
        y.astype(np.float32, casting="safe")


def test_astype_between_real_and_complex(check_rule):
    check_rule(lambda x: x.astype(complex) * (1 + 2j) if np.iscomplexobj(x) else x, array(3))
    gradient = ad.grad(lambda x: np.sum(np.real(x.astype(complex) * (3.0 + 2.0j))))
    np.testing.assert_array_equal(gradient(array(2)), [3.0, 3.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        z = np.array([1.0 + 2.0j])
        gradient = ad.grad(lambda z: np.sum(z.astype(float) * 3.0))(z)
    np.testing.assert_array_equal(gradient, [3.0 + 0.0j])


def test_real_if_close():
    z = ad.Variable(np.array([1.0 + 1e-15j, 2.0]))
    assert np.real_if_close(z).dtype == float
    assert np.real_if_close(z, tol=2).dtype == complex


def test_full_like_of_a_constant_is_plain():
    v = ad.Variable(np.ones(2, np.float32))
    assert type(np.full_like(v, 3.0)) is np.ndarray
    assert np.full_like(v, ad.Variable(3.0)).dtype == np.float32
    assert np.full_like(np.ones(2), 3.0, dtype=int).dtype == int


@pytest.mark.parametrize(
    ("use", "error"),
    [
        (lambda v: np.squeeze(v, 0), ValueError),
        (lambda v: np.expand_dims(v, (0, 0)), ValueError),
        (lambda v: np.transpose(v, (0, 0)), ValueError),
        (lambda v: np.swapaxes(v, 0, 2), ValueError),
        (lambda v: np.moveaxis(v, (0, 1), (0, 0)), ValueError),
        (lambda v: np.flip(v, 2), ValueError),
        (lambda v: np.fliplr(v[0]), ValueError),
        (lambda v: np.rot90(v, axes=(0, 0)), ValueError),
        (lambda v: np.resize(v, -1), ValueError),
        (lambda v: np.repeat(v, [1, 2], axis=1), ValueError),
        (lambda v: np.trim_zeros(v, "x"), ValueError),
        (lambda v: np.meshgrid(v, indexing="yx"), ValueError),
        (lambda v: np.broadcast_to(v, (2, 2)), ValueError),
    ],
)
def test_errors_are_those_of_numpy(use, error):
    x = array(2, 3)
    with pytest.raises(error):
        use(x)
    with pytest.raises(error):
        use(ad.Variable(x))
