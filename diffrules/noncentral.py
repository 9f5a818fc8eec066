"""Rules of the noncentral distributions: chi squared, Fisher's F and Student's t."""

from __future__ import annotations

from diffrules.vocabulary import refused

refused("all its derivatives need that of chndtr in the degrees of freedom, which has no closed "
        "form; chndtr and chndtrix are differentiable in the other arguments",
        "special.chndtridf")

refused("SciPy's values have 4 digits or, where two numbers solve the equation, are another root; "
        "no derivative of full precision can be made of them",
        "special.ncfdtridfn", "special.ncfdtridfd", "special.ncfdtrinc")

refused("SciPy's values have 7 digits, and are 1e100 where no root is found; no derivative of full "
        "precision can be made of them",
        "special.nctdtridf")

refused("SciPy's values have 8 digits; no derivative of full precision can be made of them",
        "special.nctdtrinc")
