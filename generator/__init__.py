"""Writes `generated` from the table of rules: ``python -m generator``.

The steps, one module each: `callees` finds what computes an entry, `printers` turn its
expressions into code, `methods` makes the functions of an entry, `docstrings` and `examples`
the words, `package` renders the templates into the text of every file, and `write` puts the
files in place. `cli` is the command line.
"""
