"""Airy, Bessel and Kelvin functions where terms cancel, or leave the range.

Numbers by mpmath, 60 digits.
"""

import numpy as np
import pytest

from generated.broadcasted import airy, bessel, bessel_integrals, kelvin, struve

BOUND = 16

POINTS = (
    # Airy functions between 0 and their first zeros.
    (
        airy.itairybi_grad_x,
        (-1.0788981521676009,),
        "0.0569784112898721622593307910781445465851300775449535026081625",
    ),
    (
        airy.airybiprime_grad_x,
        (-1.0788981521676009,),
        "-0.0614739026540886438683501505044872823902306328984922915437243",
    ),
    # Ai is subnormal, 104.3 times it is not.
    (
        airy.airyaiprime_grad_x,
        (104.3480669482813,),
        "2.22507385850825858719434253090809338104032288351544588787484e-308",
    ),
    # Half of a subnormal argument is rounded.
    (
        bessel_integrals.itk0_grad_x,
        (5.457404495e-315,),
        "723.733262499262608638787806802288854688590985507611528774374",
    ),
    (
        kelvin.kei_grad_x,
        (6.4e-323,),
        "2.38445559407363546822093126877786301720034573587373063451239e-320",
    ),
    # The power of x is out of range, its product with the rest is not.
    (
        struve.struve_grad_x,
        (5.0, 4.055730462096118e103),
        "1.79769313486231212017523986080518698487888152979588895369391e+308",
    ),
    # Next to where the scaled function is largest.
    (
        bessel.i1e_grad_x,
        (2.0,),
        "-0.0143956113197354492043733956161036946841854614982970519741375",
    ),
    (
        bessel.ive_grad_x,
        (3.6245474914007287, 13.657036611262637),
        "0.0000000000000352741486231832294342428489292882509701226317693653164027531",
    ),
    (
        bessel.i1e_grad_x,
        (1.5450328588485718,),
        "0.00000472288216980740716855450590308348572470368131749834632485968",
    ),
)


@pytest.mark.parametrize(("gradient", "point", "exact"), POINTS)
def test_no_digit_is_lost_on_the_way(gradient, point, exact):
    args = [np.array([number]) for number in point]
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        (found,) = gradient(np.ones(1), None, *args)
    assert abs(found - float(exact)) <= BOUND * np.spacing(abs(float(exact)))
