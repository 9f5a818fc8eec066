"""Values and partials against the table's own meaning, computed with many digits."""

import numpy as np

from diffrules import oracle

COUNT = 25
BOUND = 1e-12


def test_values_and_partials_in_the_domain(rule, methods):
    points = methods.inside(rule, COUNT, reach=30.0)
    out = methods.evaluate(rule, rule.name, points)
    wanted = [oracle.value(rule, point) for point in points]
    expect(rule.name, out, wanted, points, max(BOUND, rule.off))
    for index, name in methods.gradients(rule):
        got = methods.evaluate(rule, name, points, np.ones(COUNT), out)
        expect(name, got, [oracle.partial(rule, index, point) for point in points], points, BOUND)


def expect(name, got, wanted, points, bound):
    for number, exact, point in zip(got, wanted, points, strict=True):
        error = abs(number - float(exact))
        assert error <= bound * max(abs(float(exact)), 1e-290), (
            f"{name} at {point} is {number}, exactly {float(exact)}: off by {error:.1e}"
        )
