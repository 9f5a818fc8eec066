"""Elliptic integrals where a step on the way leaves the range; numbers by mpmath, 60 digits."""

import numpy as np
import pytest

from generated.broadcasted import carlson, elliptic

BOUND = 8

POINTS = (
    # A plateau of the integrand between arguments 574 decades apart.
    (
        carlson.elliprg_grad_y,
        (5.2367916014266006e-282, 1.2733586769190328e-284, 3.9869067268592545e290),
        "8.25970636777509193410125268585395825398867537777277290042126e-144",
    ),
    (
        carlson.elliprg_grad_x,
        (1.4021355672599627e292, 4.03977165646356e36, 6.255283064321594e-299),
        "2.11127597477391818431725124291647951391450411866913650359254e-147",
    ),
    # Many periods, in each of which the integral is below the range, or all together near its end.
    (
        elliptic.ellipkinc_grad_m,
        (-5.7021144113962204e305, -1.1552100037276038e306),
        "-5.15663668594043958199973464958853564529072458077117486679524e-152",
    ),
    (
        elliptic.ellipeinc_grad_m,
        (8.988465674311579e307, 0.9988379289703628),
        "-1.0780874600865431606000702834684079051962557834786692789525e308",
    ),
    # A sixth of an integral that is beyond the largest number.
    (
        carlson.elliprc_grad_y,
        (0.014764449201467978, 6.675221575521604e-308),
        "-6.16446928821057148671582844381291009845206675564834834264988e+307",
    ),
    # The mean itself is subnormal.
    (
        elliptic.agm_grad_x,
        (1e-310, 3e-310),
        "0.690488287298682389887574522915619272720169872301479673555541",
    ),
    (
        elliptic.agm_grad_x,
        (5e-324, 1e-323),
        "0.605209239138149154359470990844556695513127674111241391333646",
    ),
)


@pytest.mark.parametrize(("gradient", "point", "exact"), POINTS)
def test_no_digit_is_lost_on_the_way(gradient, point, exact):
    args = [np.array([number]) for number in point]
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        (found,) = gradient(np.ones(1), np.ones(1), *args)
    assert abs(found - float(exact)) <= BOUND * np.spacing(abs(float(exact)))


def test_the_quotient_at_the_end_of_the_range_does_not_overflow():
    with np.errstate(over="raise"):
        assert elliptic.ellipk_grad_m(1.0, 1e-150, np.float64(-1.7976931348623157e308)) == 0.0
