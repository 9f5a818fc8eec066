"""Where BLAS's products of matrices are: in SciPy, whose pointers Cython programs use too."""

from __future__ import annotations

import ctypes
import functools
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path


@functools.cache
def products() -> tuple[int, int]:
    """Return the addresses of dgemm and sgemm; zeros without SciPy.

    The extension file is loaded by itself: all of `scipy.linalg` would take ten times as long.
    """
    name = "scipy.linalg.cython_blas"
    module = sys.modules.get(name)
    try:
        if module is None:
            found = find_spec("scipy")
            if found is None or found.origin is None:
                return 0, 0
            import scipy  # noqa: F401 -- it makes its own libraries loadable

            folder = Path(found.origin).parent / "linalg"
            path = next(
                folder / f"cython_blas{suffix}"
                for suffix in EXTENSION_SUFFIXES
                if (folder / f"cython_blas{suffix}").exists()
            )
            loader = ExtensionFileLoader(name, str(path))
            spec = spec_from_loader(name, loader)
            assert spec is not None
            module = module_from_spec(spec)
            loader.exec_module(module)
        capsules = module.__pyx_capi__
        return _address(capsules["dgemm"]), _address(capsules["sgemm"])
    except (ImportError, StopIteration, KeyError, AttributeError):
        return 0, 0


def _address(capsule: object) -> int:
    api = ctypes.pythonapi
    name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", api))
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", api)
    )
    return pointer(capsule, name(capsule)) or 0
