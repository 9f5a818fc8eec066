"""Functions of other libraries that compute what an entry of the table computes."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from diffrules.entry import Rule

Function = Callable[..., Any]

# Where a function of the same name, or of an alias, is looked for, in this order.
PLACES = {
    "torch": ("torch.special", "torch", "torch.nn.functional"),
    "jax": ("jax.scipy.special", "jax.numpy", "jax.nn"),
    "autograd": ("autograd.scipy.special", "autograd.numpy"),
}


class Other(NamedTuple):
    """A function of another name, and what it is called with besides the arguments."""

    path: str
    before: tuple[Any, ...] = ()
    options: Mapping[str, Any] = {}


# None where the function of that name is another one.
OTHERS: dict[str, dict[str, Other | None]] = {
    "torch": {
        "gelu_tanh": Other("torch.nn.functional.gelu", options={"approximate": "tanh"}),
        "hard_shrink": Other("torch.nn.functional.hardshrink"),
        "hard_sigmoid": Other("torch.nn.functional.hardsigmoid"),
        "hard_silu": Other("torch.nn.functional.hardswish"),
        "hard_tanh": Other("torch.nn.functional.hardtanh"),
        "j0": Other("torch.special.bessel_j0"),
        "j1": Other("torch.special.bessel_j1"),
        "k0": Other("torch.special.modified_bessel_k0"),
        "k0e": Other("torch.special.scaled_modified_bessel_k0"),
        "k1": Other("torch.special.modified_bessel_k1"),
        "k1e": Other("torch.special.scaled_modified_bessel_k1"),
        "kl_div": None,
        "log_expit": Other("torch.nn.functional.logsigmoid"),
        "power": Other("torch.pow"),
        "rint": Other("torch.round"),
        "soft_shrink": Other("torch.nn.functional.softshrink"),
        "tanh_shrink": Other("torch.nn.functional.tanhshrink"),
        "trigamma": Other("torch.special.polygamma", before=(1,)),
        "y0": Other("torch.special.bessel_y0"),
        "y1": Other("torch.special.bessel_y1"),
    },
    "jax": {
        "gelu": Other("jax.nn.gelu", options={"approximate": False}),
        "gelu_tanh": Other("jax.nn.gelu", options={"approximate": True}),
        "log1mexp": None,
        "softsign": Other("jax.nn.soft_sign"),
        "trigamma": Other("jax.scipy.special.polygamma", before=(1,)),
    },
    "autograd": {
        "log_ndtr": Other("autograd.scipy.stats.norm.logcdf"),
        "ndtr": Other("autograd.scipy.stats.norm.cdf"),
        "trigamma": Other("autograd.scipy.special.polygamma", before=(1,)),
    },
}


def installed(library: str) -> bool:
    """Return whether a library is here."""
    return importlib.util.find_spec(library) is not None


def function(library: str, rule: Rule) -> Function | None:
    """Return the function of a library that `rule` is about; None if there is none."""
    names = (rule.name, *rule.aliases)
    for name in names:
        if name in OTHERS[library]:
            other = OTHERS[library][name]
            return other and partial(_reach(other.path), *other.before, **other.options)
    places = (f"{place}.{name}" for place in PLACES[library] for name in names)
    return next((found for place in places if callable(found := _reach(place))), None)


def _reach(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name, None)
