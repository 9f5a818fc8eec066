"""Printers on the table, and rules that leave the table as it was."""

import pytest

from diffrules.entry import RULES
from generator.callees import Callees
from generator.printers import BroadcastedPrinter, CPrinter, FormulaPrinter, ScalarPrinter


@pytest.fixture(scope="session")
def callees() -> Callees:
    return Callees(RULES.values())


@pytest.fixture
def scalar(callees) -> ScalarPrinter:
    return ScalarPrinter(callees)


@pytest.fixture
def broadcasted(callees) -> BroadcastedPrinter:
    return BroadcastedPrinter(callees)


@pytest.fixture
def c(callees) -> CPrinter:
    return CPrinter(callees)


@pytest.fixture
def c_single(callees) -> CPrinter:
    return CPrinter(callees, single=True)


@pytest.fixture
def formula(callees) -> FormulaPrinter:
    return FormulaPrinter(callees)


@pytest.fixture
def new_rules():
    """Return the table; what a test adds to it is taken out again."""
    before = dict(RULES)
    yield RULES
    RULES.clear()
    RULES.update(before)
