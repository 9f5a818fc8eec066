"""Real part, imaginary part, conjugate, angle, absolute value and sign of complex numbers.

They have no complex derivative; holomorphic functions are in the table. Cotangents pair with
tangents by the real part of their product, without a conjugate: for a real result u of ``x + iy``
the gradient is ``du/dx - i du/dy``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.box import operand, raw
from autodiff.careful import careful_product
from autodiff.elementwise import OF_COMPLEX
from autodiff.primitives import Linear, Primitive, implements
from autodiff.values import is_complex

real_rule = Linear("np.real", np.real, lambda grad, z: grad)
imag_rule = Linear("np.imag", np.imag, lambda grad, z: -1j * grad)
conjugate_rule = Linear("np.conjugate", np.conjugate, lambda grad, z: np.conjugate(grad))


@implements(np.real)
def real(val: Any) -> Any:
    """Real part; a real value itself."""
    val = operand(val)
    return real_rule(val) if is_complex(val) else val


@implements(np.imag)
def imag(val: Any) -> Any:
    """Imaginary part; of a real value plain zeros."""
    val = operand(val)
    return imag_rule(val) if is_complex(val) else np.imag(raw(val))


@implements(np.conjugate)
def conj(x: Any) -> Any:
    """Complex conjugate; of a real value a copy."""
    x = operand(x)
    return conjugate_rule(x) if is_complex(x) else np.positive(x)


def conjugate(x: Any) -> Any:
    """Return the complex conjugate of `x`, or `x` itself if it is real, for formulas."""
    return np.conj(x) if is_complex(x) else x


@implements(np.angle)
def angle(z: Any, deg: bool = False) -> Any:
    """Angle of complex numbers; of real ones a plain 0 or pi."""
    z = operand(z)
    if not is_complex(z):
        return np.angle(raw(z), deg)
    found = np.arctan2(np.imag(z), np.real(z))
    return found * (180.0 / np.pi) if deg else found


@implements(np.real_if_close)
def real_if_close(a: Any, tol: float = 100) -> Any:
    """Real part, if all imaginary parts are within `tol` machine epsilons of 0."""
    a = operand(a)
    return a if np.iscomplexobj(np.real_if_close(raw(a), tol)) else real(a)


def _to_origin(out: Any, z: Any) -> Any:
    """Return ``conj(z) / abs(z)``, 0 at the tip of the cone; real quotients stay in range."""
    size = out + (raw(out) == 0.0)
    return np.real(z) / size - 1j * (np.imag(z) / size)


absolute_rule = Primitive(
    "np.absolute",
    np.absolute,
    [lambda grad, out, z: careful_product(grad, _to_origin(out, z))],
    [lambda tangent, out, z: np.real(careful_product(tangent, _to_origin(out, z)))],
)


def sign(x: Any) -> Any:
    """Return ``x / abs(x)`` of complex numbers; 0 at 0, where it has no direction."""
    size = absolute_rule(x)
    return np.where(raw(size) == 0.0, 0.0, np.conjugate(_to_origin(size, x)))


OF_COMPLEX["generated", "absolute"] = absolute_rule
OF_COMPLEX["generated", "sign"] = sign
