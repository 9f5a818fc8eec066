"""Contenders: this library, NumPy by hand, and peers, one adapter module each.

An adapter has a table ``CONTENDERS``: name of the contender, and for each workload it can do
a builder. ``builder(*inputs)`` returns a step, a function without arguments that does the
whole work once, from leaves to gradients read, and returns ``(value, *gradients)``
(for the network: the loss and the new parameters) in its own types.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any, NamedTuple

Step = Callable[[], Any]
Builder = Callable[..., Step]


class Peer(NamedTuple):
    """A library: the package it needs, its adapter module, and the contenders in it."""

    package: str
    adapter: str
    contenders: tuple[str, ...]


PEERS = (
    Peer("autodiff", "ours", ("this",)),
    Peer("numpy", "by_hand", ("by hand",)),
    Peer("torch", "torch_eager", ("torch",)),
    Peer("jax", "jax_numpy", ("jax", "jax.jit")),
    Peer("autograd", "hips_autograd", ("autograd",)),
    Peer("micrograd", "micrograd_value", ("micrograd",)),
)

CONTENDERS = tuple(name for peer in PEERS for name in peer.contenders)

ABSENT, NONE = "absent", "-"


def installed(peer: Peer) -> bool:
    return importlib.util.find_spec(peer.package) is not None


def builder(contender: str, workload: str) -> Builder | str:
    """Return the builder of a workload, or why there is none.

    Returns
    -------
    callable or str
        ``"absent"`` if the library is not installed, ``"-"`` if its adapter does not do
        this workload.
    """
    peer = next(peer for peer in PEERS if contender in peer.contenders)
    if not installed(peer):
        return ABSENT
    adapter = importlib.import_module(f"benchmarks.peers.{peer.adapter}")
    return adapter.CONTENDERS[contender].get(workload, NONE)
