"""How each contender runs a formula: as a step without arguments that does all the work once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.compiled.workloads import RATE, Workload

Step = Callable[[], Any]


def _ours(workload: Workload, compiled: dict[str, Any] | None) -> Step:
    import numpy as np

    import autodiff as ad

    class Names:
        def __getattr__(self, name: str) -> Any:
            return getattr(ad if name in ("erf", "scan") else np, name)

    def formula(*inputs: Any) -> Any:
        return workload.formula(Names(), *inputs)

    def step(*inputs: Any) -> Any:
        value, grads = ad.value_and_grad(formula, workload.wanted)(*inputs)
        if workload.form == "grad":
            return value, *grads
        new = [inputs[i] - RATE * grad for i, grad in zip(workload.wanted, grads, strict=True)]
        return value, *new

    inputs = workload.inputs()
    function = ad.hessian(formula) if workload.form == "hessian" else step
    if compiled is not None:
        function = ad.compile(function, **compiled)
    return lambda: function(*inputs)


def this(workload: Workload) -> Step:
    """Compile to C."""
    return _ours(workload, {"backend": "c"})


def on_numpy(workload: Workload) -> Step:
    """Compile to straight-line NumPy."""
    return _ours(workload, {"backend": "numpy"})


def on_tape(workload: Workload) -> Step:
    """Run on the tape."""
    return _ours(workload, None)


def jax_jit(workload: Workload) -> Step:
    """Compile with XLA, arrays on its side."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    class Names:
        def __getattr__(self, name: str) -> Any:
            others = {"erf": jax.scipy.special.erf, "scan": jax.lax.scan}
            return others.get(name) or getattr(jnp, name)

    def formula(*inputs: Any) -> Any:
        return workload.formula(Names(), *inputs)

    def step(*inputs: Any) -> Any:
        value, grads = jax.value_and_grad(formula, workload.wanted)(*inputs)
        if workload.form == "grad":
            return value, *grads
        new = [inputs[i] - RATE * grad for i, grad in zip(workload.wanted, grads, strict=True)]
        return value, *new

    compiled = jax.jit(jax.hessian(formula) if workload.form == "hessian" else step)
    given = workload.inputs()
    inputs = given if workload.name == "sin_exp" else tuple(map(jnp.asarray, given))
    return lambda: jax.block_until_ready(compiled(*inputs))


def torch_eager(workload: Workload) -> Step:
    """Run PyTorch's tape."""
    import torch

    class Names:
        def __getattr__(self, name: str) -> Any:
            return getattr(torch, name)

        def scan(self, step: Any, state: Any, inputs: Any) -> Any:
            for one in inputs:
                state, _ = step(state, one)
            return state, None

    def formula(*inputs: Any) -> Any:
        return workload.formula(Names(), *inputs)

    inputs = [torch.as_tensor(each, dtype=torch.float64) for each in workload.inputs()]
    if workload.form == "hessian":
        return lambda: torch.autograd.functional.hessian(formula, inputs[0])
    leaves = [inputs[i].requires_grad_() for i in workload.wanted]

    def step() -> Any:
        value = formula(*inputs)
        grads = torch.autograd.grad(value, leaves)
        if workload.form == "grad":
            return value.detach(), *grads
        with torch.no_grad():
            new = [leaf - RATE * grad for leaf, grad in zip(leaves, grads, strict=True)]
        return value.detach(), *new

    torch.set_num_threads(1)
    return step


CONTENDERS: dict[str, tuple[str, Callable[[Workload], Step]]] = {
    "this": ("autodiff", this),
    "this, NumPy": ("autodiff", on_numpy),
    "this, tape": ("autodiff", on_tape),
    "jax.jit": ("jax", jax_jit),
    "torch": ("torch", torch_eager),
}
"""Name of each contender: the package it needs, and the builder of its steps."""
