"""What the tests of the table share."""

import pytest

from diffrules.entry import RULES


@pytest.fixture
def scratch():
    """Let a test write entries; the table is as before afterwards."""
    before = dict(RULES)
    yield RULES
    RULES.clear()
    RULES.update(before)
