"""What all tests share: the option that asks for everything."""

import zlib

# Tests of every entry that compute with many digits: for special functions these take minutes.
WITH_MANY_DIGITS = {
    "test_partial_is_the_derivative_of_the_value",
    "test_partial_is_the_complex_derivative_of_the_value",
    "test_the_table_is_closed_under_three_derivatives",
    "test_values_and_partials_in_the_domain",
    "test_second_order_agrees_with_many_digits",
    "test_three_derivatives_of_arrays",
}
ELEMENTARY = {
    *("activations", "arithmetic", "degrees", "exponential", "hyperbolic", "information"),
    *("logistic", "piecewise", "powers", "trigonometric"),
}
SHARE = 4


def pytest_addoption(parser):
    parser.addoption(
        "--full",
        action="store_true",
        help="check every rule in all dtypes, layouts and orders; a plain run takes a sample",
    )


def pytest_collection_modifyitems(config, items):
    """Take a sample of the slow tests of special functions."""
    kept, left = [], []
    for item in items:
        (left if not config.getoption("--full") and _is_left_out(item) else kept).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = kept


def _is_left_out(item):
    if getattr(item, "originalname", None) not in WITH_MANY_DIGITS:
        return False
    params = item.callspec.params
    rule = params.get("rule") or params.get("entry")
    sampled = zlib.crc32(rule.name.encode()) % SHARE == 0
    return rule.family not in ELEMENTARY and not sampled
