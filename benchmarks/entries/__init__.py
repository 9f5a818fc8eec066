"""Value and gradient of each entry of the table: ``python -m benchmarks entries``.

`points` chooses arguments, `contenders` makes what is timed, `results` shows what was measured.
"""
