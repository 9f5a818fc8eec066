"""Numbers spaced evenly between tracked ends."""

import numpy as np
import pytest

import autodiff as ad

CASES = {
    "linspace": lambda a, b: np.linspace(a, b, 5),
    "linspace 50": lambda a, b: np.linspace(a, b),
    "linspace open": lambda a, b: np.linspace(a, b, 4, endpoint=False),
    "linspace of one": lambda a, b: np.linspace(a, b, 1),
    "linspace of none": lambda a, b: np.linspace(a, b, 0),
    "linspace axis": lambda a, b: np.linspace(a, b, 3, axis=-1),
    "linspace keywords": lambda a, b: np.linspace(start=a, stop=b, num=3, axis=0),
    "linspace step": lambda a, b: np.linspace(a, b, 4, retstep=True)[1],
    "logspace": lambda a, b: np.logspace(a, b, 4),
    "logspace base": lambda a, b: np.logspace(a, b, 4, base=2.0),
    "geomspace": lambda a, b: np.geomspace(a, b, 5),
    "geomspace open": lambda a, b: np.geomspace(a, b, 5, endpoint=False),
    "geomspace axis": lambda a, b: np.geomspace(a, b, 3, axis=-1),
}
ENDS = {
    "numbers": (np.array(0.5), np.array(2.0)),
    "arrays": (np.array([0.5, 0.25, 1.0]), np.array([2.0, 1.5, 3.0])),
    "broadcast": (np.array(0.5), np.array([[2.0, 1.5, 3.0]])),
}


@pytest.mark.parametrize("ends", ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("call", CASES.values(), ids=CASES)
def test_ranges(call, ends, check_rule):
    check_rule(call, *ends, complex=False)


def test_one_end_tracked():
    assert ad.jacobian(lambda b: np.linspace(0.0, b, 3))(4.0).tolist() == [0.0, 0.5, 1.0]
    assert ad.jacobian(lambda a: np.linspace(a, 1.0, 3))(4.0).tolist() == [1.0, 0.5, 0.0]


def test_base_tracked():
    ad.check_grads(lambda base: np.logspace(0.5, 2.0, 3, base=base), (3.0,))


def test_negative_ends():
    ad.check_grads(lambda a, b: np.geomspace(a, b, 4), (-1.0, -8.0))


def test_dtype():
    found = ad.vjp(lambda a: np.linspace(a, 1.0, 3, dtype=np.float32), 0.0)[0]
    assert found.dtype == np.float32
