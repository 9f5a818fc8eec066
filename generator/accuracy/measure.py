"""One entry measured: the errors of every quantity in every twin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import mpmath
import numpy as np
import sympy

from diffrules import oracle
from diffrules.entry import Rule
from generator.accuracy.beside import PeerProcess, is_like
from generator.accuracy.chosen import chosen_points
from generator.accuracy.floats import DType
from generator.accuracy.kept import Kept, chosen
from generator.accuracy.points import special_points
from generator.accuracy.quantities import Quantity, quantities
from generator.accuracy.reference import KINK, Exact, Point, split
from generator.accuracy.scales import Scales
from generator.accuracy.twins import Twins
from generator.accuracy.ulp import Array, Near, Numbers, catastrophic, errors
from generator.accuracy.work import Source
from generator.callees import callees_named

DOUBLE, SINGLE = np.dtype(np.float64), np.dtype(np.float32)
# Points at which second derivatives are measured.
SECOND = 300
# Allowed for them, on entries of elementary functions that have a bound.
SECOND_BOUND = 16.0
# Lost points that are kept to be shown.
SHOWN = 3


@dataclass(frozen=True)
class Sample:
    """A point, what was computed there, what is right, and the error."""

    point: Point
    computed: float
    exact: float
    ulp: float


@dataclass
class Measured:
    """One quantity in one twin.

    Attributes
    ----------
    points : int
        How many have an exact number.
    ulp, ulp_999 : float
        The largest error, and the 99.9th percentile, of the points that are not lost.
    lost : int
        Catastrophic points.
    scaled : int
        Points measured against the size of the quantity around an irrational zero.
    warnings : int
        Points at which NumPy warns.
    fallbacks : int
        Points at which the scalar method raises, so that the broadcasted one answers.
    samples : list of Sample
        The first lost points, and that of the largest error.
    """

    points: int
    ulp: float
    ulp_999: float
    lost: int
    scaled: int = 0
    warnings: int = 0
    fallbacks: int = 0
    samples: list[Sample] = field(default_factory=list)


@dataclass
class Row:
    """One quantity of an entry.

    Attributes
    ----------
    name, of : str
        The entry; ``value``, or the arguments of the derivative.
    bound : float or None
        What the entry allows; None: nothing is held.
    unknown, kinks : int
        Points without an exact number, and points where two pieces meet.
    twins : dict
        What was measured, by ``float64``, ``scalar``, ``float32``, ``C``, ``C float``.
    peers : dict
        The same of other libraries, in float64, by ``torch``, ``jax``, ``autograd``.
    """

    name: str
    of: str
    bound: float | None
    unknown: int = 0
    kinks: int = 0
    twins: dict[str, Measured] = field(default_factory=dict)
    peers: dict[str, Measured] = field(default_factory=dict)


@dataclass
class PointSet:
    """Points of one dtype: those inside the domain, then the special ones."""

    dtype: DType
    inside: list[Point]
    special: list[Point]

    @property
    def all(self) -> list[Point]:
        """All of them."""
        return self.inside + self.special


@dataclass(frozen=True)
class Compared:
    """What was computed at many points, beside what is right."""

    points: PointSet
    computed: Array
    exact: Numbers
    error: Array
    lost: Array
    near: Near

    def summary(self) -> Measured:
        """Return what is told of all of them."""
        usual = np.flatnonzero(self.exact.known & ~self.lost)
        found = self.error[usual]
        worst = usual[np.argsort(-found, kind="stable")][:1]
        points, right = self.points.all, self.exact.rounded()
        return Measured(
            points=int(self.exact.known.sum()),
            ulp=float(found.max(initial=0.0)),
            ulp_999=float(np.quantile(found, 0.999)) if len(found) else 0.0,
            lost=int(self.lost.sum()),
            scaled=int(self.near.where.sum()),
            samples=[
                Sample(points[k], float(self.computed[k]), float(right[k]), float(self.error[k]))
                for k in (*np.flatnonzero(self.lost)[:SHOWN], *worst)
            ],
        )


class Measurement:
    """Measures entries.

    Parameters
    ----------
    source : Source
        Who knows the exact numbers.
    twins : Twins
        The generated functions.
    second : bool
        Measure second derivatives of all entries, not only of public elementary functions.
    peers : PeerProcess or None
        Other libraries to measure at the same points.

    Attributes
    ----------
    kept : dict
        Some points of each quantity that has a bound, in float64.
    """

    def __init__(
        self, source: Source, twins: Twins, second: bool = False, peers: PeerProcess | None = None
    ) -> None:
        self._source, self._twins, self._second = source, twins, second
        self._peers = peers
        self.kept: dict[Quantity, list[Kept]] = {}

    def rows(self, rule: Rule) -> list[Row]:
        """Return what is measured of one entry."""
        found: dict[Quantity, Row] = {}
        for dtype in (DOUBLE, SINGLE):
            points = PointSet(dtype, chosen_points(rule, dtype, self._source), special_points(rule))
            for quantity in quantities(rule):
                row = found.setdefault(quantity, row_of(quantity))
                self.first(row, quantity, points)
            if dtype is DOUBLE:
                self._beside(found, rule, points)
            # Second derivatives of private entries are third ones of the functions people call.
            if dtype is DOUBLE and (self._second or (is_elementary(rule) and rule.is_public)):
                step = max(1, len(points.inside) // SECOND)
                few = PointSet(dtype, points.inside[::step], [])
                for quantity in quantities(rule, (2,)):
                    found[quantity] = row_of(quantity)
                    self.second(found[quantity], quantity, few)
        return list(found.values())

    def _beside(self, found: Mapping[Quantity, Row], rule: Rule, points: PointSet) -> None:
        """Measure the peers that have the function of an entry."""
        if self._peers is None or not rule.is_public:
            return
        for name in self._peers.names:
            for quantity in quantities(rule):
                computed = self._peers.computed(name, quantity, points.all)
                exact = self._exact(None, quantity, points)
                if computed is None or (not quantity.along and not is_like(computed, exact)):
                    break
                measured = self._compared(computed, exact, quantity, points)
                found[quantity].peers[name] = measured.summary()

    def first(self, row: Row, quantity: Quantity, points: PointSet) -> None:
        """Measure a value or a partial in all twins of a dtype."""
        exact = self._exact(row, quantity, points)
        names = {DOUBLE: ("float64", "C"), SINGLE: ("float32", "C float")}[points.dtype]
        with np.errstate(all="ignore"):
            found = {
                names[0]: self._twins.broadcasted(quantity, points.all, points.dtype),
                names[1]: self._twins.compiled(quantity, points.all, points.dtype),
            }
            scalar = self._twins.scalar(quantity, points.all) if points.dtype is DOUBLE else None
            if scalar is not None:
                found["scalar"] = scalar[0]
            for name, computed in found.items():
                if computed is not None:
                    compared = self._compared(computed, exact, quantity, points)
                    row.twins[name] = compared.summary()
                    if name == "float64":
                        self._keep(row, quantity, compared)
        if scalar is not None:
            row.twins["scalar"].fallbacks = int(scalar[1].sum())
        warnings = self._twins.warnings(quantity, points.inside, points.dtype, exact)
        row.twins[names[0]].warnings = warnings

    def second(self, row: Row, quantity: Quantity, points: PointSet) -> None:
        """Measure a second derivative, by the engine on the generated gradients."""
        exact = self._exact(row, quantity, points)
        with np.errstate(all="ignore"):
            computed = self._twins.broadcasted(quantity, points.all, points.dtype)
        compared = self._compared(computed, exact, quantity, points)
        row.twins["float64"] = compared.summary()
        self._keep(row, quantity, compared)

    def _exact(self, row: Row | None, quantity: Quantity, points: PointSet) -> Numbers:
        """Return the exact numbers; those at special points are what the entry says."""
        exact = self._source.numbers(quantity, points.inside)
        kinks = int((~exact.known & (exact.exponent == KINK.exponent)).sum())
        if row is not None:
            row.kinks += kinks
            row.unknown += int((~exact.known).sum()) - kinks
        if not points.special:
            return exact
        said = [self._at_special_point(quantity, index) for index in range(len(points.special))]
        more = (np.array(column) for column in zip(*said, strict=True))
        return Numbers(*map(np.append, (exact.head, exact.tail, exact.exponent), more))

    def _at_special_point(self, quantity: Quantity, index: int) -> Exact:
        """Return what the entry says of a quantity at one of its singular points."""
        rule = quantity.rule
        spot = rule.at[index]
        said = spot.partials[rule.args[quantity.along[0]]] if quantity.along else spot.value
        if said is None:
            point = special_points(rule)[index]
            return self._source.number(quantity, point)
        with mpmath.workdps(50):
            return split(mpmath.mpmathify(oracle.compiled((), sympy.sympify(said))()))

    def _compared(
        self, computed: Array, exact: Numbers, quantity: Quantity, points: PointSet
    ) -> Compared:
        error = errors(computed, exact, points.dtype)
        lost = catastrophic(computed, exact, points.dtype, error)
        inside = len(points.inside)
        scales = Scales(quantity, points.dtype, self._source)
        near = scales.near(points.inside, error[:inside], lost[:inside])
        rest = np.zeros(len(points.special), np.int64)
        near = Near(np.append(near.where, rest > 0), np.append(near.exponent, rest))
        if near.where.any():
            error = errors(computed, exact, points.dtype, near)
            lost = catastrophic(computed, exact, points.dtype, error, near)
        return Compared(points, computed, exact, error, lost, near)

    def _keep(self, row: Row, quantity: Quantity, compared: Compared) -> None:
        if row.bound is not None:
            inside = len(compared.points.inside)
            self.kept[quantity] = chosen(
                compared.points.inside, compared.exact, compared.error[:inside], compared.near
            )


def row_of(quantity: Quantity) -> Row:
    """Return an empty row, with what the entry allows.

    Nothing is held for values that are NumPy's or SciPy's, nor where the entry has no bound.
    """
    rule, bound = quantity.rule, None
    args = [rule.args[index] for index in quantity.along]
    if len(args) > 1:
        if rule.ulp is not None and is_elementary(rule):
            bound = rule.bound(*args) or SECOND_BOUND
    elif args:
        bound = rule.bound(*args)
    elif not next(iter(callees_named(rule)), "").startswith(("np.", "special.")):
        bound = rule.bound()
    return Row(rule.name, quantity.label, bound)


def is_elementary(rule: Rule) -> bool:
    """Return whether a value is made of elementary functions alone."""
    special = [
        function
        for function in rule.meaning().atoms(sympy.Function)
        if not type(function).__module__.startswith(
            ("sympy.functions.elementary", "sympy.codegen", "diffrules.guards")
        )
    ]
    return not special
