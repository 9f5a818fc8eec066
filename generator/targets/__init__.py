"""The table rendered for other engines, one self-contained file each: ``--target``.

An engine is a printer with a table of names (`jax`, `torch`, `autograd`, `numba`) and a template
``target_<engine>.py.jinja``. `selection` finds which entries can be written there, and why others
cannot; `file` renders.
"""
