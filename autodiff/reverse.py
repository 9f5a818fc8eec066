"""One run of a function in reverse mode, from which cotangents are pulled back many times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff.arguments import Function, Leaves, Selection, name_of
from autodiff.containers import put_together
from autodiff.gradients import cotangents
from autodiff.levels import recording, transform
from autodiff.node import source_of
from autodiff.results import as_given, constant, leaves_of, split_aux, warn_independent
from autodiff.several import joint
from autodiff.values import finish
from autodiff.variable import Variable


class Reverse:
    """The value of a function at chosen arguments, and the way back.

    Attributes
    ----------
    values : list
        The leaves of the chosen arguments.
    outs : list
        The leaves of the result, as the caller's own.
    structure
        Of the result; None if it is no container.
    aux : object
        What came with it, if `has_aux`.
    """

    def __init__(
        self,
        f: Function,
        selection: Selection,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        *,
        has_aux: bool = False,
        warn: bool = True,
    ) -> None:
        self.f = f
        self.aux: Any = None
        self._single = selection.single
        keys = selection.keys(f, args, kwargs)
        self._arguments = Leaves.of(keys, args, kwargs)
        self.values = self._arguments.values
        with transform() as level:
            kind = Variable if recording.watch is None else recording.watch.variable
            self.leaves = [kind.leaf_at(value, level) for value in self.values]
            given, named = self._arguments.into(keys, self.leaves, args, kwargs)
            out = f(*given, **named)
            if has_aux:
                out, self.aux = split_aux(out, f)
                self.aux = constant(self.aux, level)
            boxes, self.structure = leaves_of(out, f, level)
        self._roots: list[Any] = []
        self.outs: list[Any] = []
        tracked = False
        for box in boxes:
            here = isinstance(box, Variable) and box.level == level
            tracked = tracked or (here and box.node is not None)
            self._roots.append(box if here and box.node is not None else None)
            self.outs.append(as_given(box._value if here else box, self.values))
        if warn and not tracked and self.values:
            warn_independent(self.name, level)

    @property
    def name(self) -> str:
        """Name of the function, for messages."""
        return name_of(self.f)

    @property
    def value(self) -> Any:
        """The result, in its structure."""
        return put_together(self.structure, self.outs)

    @property
    def is_container(self) -> bool:
        """Whether the result is a container."""
        return self.structure is not None

    @property
    def is_constant(self) -> bool:
        """Whether nothing of the result depends on the leaves."""
        return all(root is None for root in self._roots)

    def leaf_cotangents(self, seeds: Sequence[Any]) -> list[Any]:
        """Return the finished gradient of each leaf, for the cotangents of the results.

        A seed that is None is zero.
        """
        if len(seeds) == 1:
            root, seed = self._roots[0], seeds[0]
            found = {} if root is None else cotangents(root, seed)
        else:
            found = self._of_several(seeds)
        grads = []
        for leaf in self.leaves:
            cotangent = found.pop(leaf, 0.0)  # no other reference: `finish` need not copy
            grads.append(finish(cotangent, leaf._value))
        return grads

    def _of_several(self, seeds: Sequence[Any]) -> dict[Any, Any]:
        used = [
            (root, seed)
            for root, seed in zip(self._roots, seeds, strict=True)
            if root is not None and seed is not None
        ]
        if not used:
            return {}
        node, parts = joint([source_of(root) for root, _ in used], [seed for _, seed in used])
        return cotangents(Variable.wrap(0.0, node, used[0][0].level), parts)

    def pull(self, seeds: Sequence[Any]) -> Sequence[Any]:
        """Return the gradient of each chosen argument, in its structure."""
        return self.grouped(self.leaf_cotangents(seeds))

    def grouped(self, parts: Sequence[Any]) -> Sequence[Any]:
        """Return one thing for each leaf as one for each chosen argument, in its structure."""
        return self._arguments.grouped(parts)

    def chosen(self, found: Sequence[Any]) -> Any:
        """Return what there is for one argument if one was chosen, else the tuple."""
        return found[0] if self._single else tuple(found)
