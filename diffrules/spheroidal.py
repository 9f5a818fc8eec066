"""Rules of spheroidal wave functions."""

from __future__ import annotations

from diffrules.vocabulary import refused

refused("the derivative in c is an integral of the squared wave function; SciPy has no "
        "coefficients of its series", "special.pro_cv", "special.obl_cv")

refused("its values are of no function where cv is not the characteristic value of m, n and c, so "
        "there is no derivative; the function without _cv computes cv itself",
        "special.pro_ang1_cv", "special.obl_ang1_cv", "special.pro_rad1_cv",
        "special.obl_rad1_cv", "special.pro_rad2_cv", "special.obl_rad2_cv")

refused("SciPy's values are wrong in every digit at some points, such as m=1, n=2, c=3.876, "
        "x=1.614, where its Wronskian is off by a factor of 4; no derivative can be made of them",
        "special.pro_rad2")

refused("SciPy's values are wrong in every digit at many points, such as m=1, n=4, c=2.236, "
        "x=1.847, where its Wronskian is off by a factor of 1000; no derivative can be made of "
        "them",
        "special.obl_rad2")
