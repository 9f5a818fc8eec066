"""Printers of SymPy expressions: `math`, NumPy, C, and formulas for people."""

from __future__ import annotations

from generator.printers.broadcasted import BroadcastedPrinter
from generator.printers.c import CPrinter
from generator.printers.code import Binding, Code
from generator.printers.common import Shared, Uses
from generator.printers.formula import FormulaPrinter
from generator.printers.scalar import ScalarPrinter

__all__ = [
    "Binding",
    "BroadcastedPrinter",
    "CPrinter",
    "Code",
    "FormulaPrinter",
    "ScalarPrinter",
    "Shared",
    "Uses",
]
