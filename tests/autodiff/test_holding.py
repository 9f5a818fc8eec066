"""Arrays in what other libraries wrap around them: xarray holds tracked values, pandas cannot."""

import numpy as np
import pytest

import autodiff as ad

BASE = np.array([1.0, 2.0, 3.0])
CALLS = {
    "right": lambda x, wrap: x * wrap(BASE),
    "left": lambda x, wrap: wrap(BASE) - x,
    "ufunc right": lambda x, wrap: np.multiply(x, wrap(BASE)),
    "ufunc left": lambda x, wrap: np.divide(wrap(BASE), x),
    "again": lambda x, wrap: np.sin(x * wrap(BASE)) + x,
    "both": lambda x, wrap: (wrap(BASE) * x) * (wrap(BASE) ** 2 / x**2),
    "array": lambda x, wrap: np.array([0.5, 1.0, 1.5]) * x + wrap(BASE),
    "dot": lambda x, wrap: np.dot(wrap(BASE), x * BASE) * BASE,
    "where": lambda x, wrap: np.where(BASE > 1, x, wrap(BASE)),
    "concatenate": lambda x, wrap: np.concatenate([wrap(BASE), BASE * x]),
}


def wrapper(module, name):
    kind = getattr(pytest.importorskip(module), name)
    return kind, lambda value: value.data if isinstance(value, kind) else value


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(("module", "name"), [("xarray", "DataArray"), ("pandas", "Series")])
def test_wrappers(module, name, call):
    kind, opened = wrapper(module, name)
    wanted = ad.grad(lambda x: np.sum(call(x, np.array)))(2.0)

    def f(x):
        return np.sum(opened(call(x, kind)))

    assert ad.grad(f)(2.0) == pytest.approx(wanted, rel=1e-14)
    assert ad.jvp(f, (2.0,), (1.0,))[1] == pytest.approx(wanted, rel=1e-14)


def test_dataarrays_keep_their_names():
    kind, _ = wrapper("xarray", "DataArray")
    found = kind(BASE, dims=["time"]) * ad.Variable(2.0)
    assert found.dims == ("time",)
    assert isinstance(found.data, ad.Variable)


def test_frames_are_constants():
    frame = pytest.importorskip("pandas").DataFrame(np.arange(6.0).reshape(3, 2))
    for call in (lambda w: np.dot(frame, w), lambda w: frame * w, lambda w: w * frame):
        assert ad.grad(lambda w, call=call: np.sum(call(w)))(np.ones(2)).tolist() == [6.0, 9.0]
